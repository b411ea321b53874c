import { connect } from "../../src/client/index.ts";

/** A Worker that is an agent: it uses the client as its own, from inside the runtime. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { url, token } = (await request.json()) as { url: string; token: string };
    using memory = connect({ url, token, transport: "batch" });
    const { id } = await memory.capture("Written by a Worker.");
    const refusal: unknown = await memory.getEntry("00000000").catch((error: unknown) => error);
    return Response.json({
      content: (await memory.readOnly().getEntry(id)).content,
      code: (refusal as { code: unknown }).code,
    });
  },
};
