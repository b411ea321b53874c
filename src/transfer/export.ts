import type { MiniSphereApi } from "../../contracts/api.ts";
import { sha256Stream } from "../lib/hash.ts";

/**
 * The export of a workspace as text, piece by piece, with the trailer that ends it ([EXP-1]). Holds one piece.
 *
 * @throws `conflict` when the workspace is written to meanwhile; what was yielded is then no export.
 */
export async function* exportText(
  sphere: Pick<MiniSphereApi, "exportPage">,
): AsyncGenerator<string> {
  const hash = sha256Stream();
  let records = 0;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: { text: string; next: string | null } = await sphere.exportPage(
      cursor === undefined ? {} : { cursor },
    );
    hash.update(page.text);
    records += page.text.split("\n").length - 1;
    yield page.text;
    cursor = page.next;
  }
  yield `${JSON.stringify({ record: "end", records, sha256: hash.hex() })}\n`;
}
