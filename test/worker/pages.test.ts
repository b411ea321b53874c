import { describe, expect, it } from "vitest";
import { CONTRACT_VERSION } from "../../contracts/api.ts";
import { request } from "./wire.ts";

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

describe("the Worker's pages", () => {
  it("/ says what this is and where to connect", async () => {
    const response = await request("/");
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain("ws://sphere/rpc");
    expect(page).toContain("POST http://sphere/rpc");
  });

  it("/health says that it is up, and which contract it keeps", async () => {
    const response = await request("/health");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true, contractVersion: CONTRACT_VERSION });
  });

  it.each(["/nope", "/rpc/", "/RPC", "/rpc/constructor", "//"])(
    "%s is 404 with a sentence",
    async (path) => {
      const response = await request(path);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ code: "not_found" });
    },
  );

  it.each([
    ["GET", "/rpc", "POST, OPTIONS"],
    ["DELETE", "/rpc", "GET, POST, OPTIONS"],
    ["POST", "/", "GET, OPTIONS"],
    ["PUT", "/health", "GET, OPTIONS"],
  ])("%s %s is 405 and names the methods", async (method, path, allow) => {
    const response = await request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_input" });
  });

  it("answers the preflight of a browser on another origin", async () => {
    const response = await request("/rpc", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "content-type",
    });
  });

  it.each(["/", "/health", "/nope"])("lets any origin read the answer of %s", async (path) => {
    const response = await request(path);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("HEAD answers like GET, without the body", async () => {
    const response = await request("/health", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});
