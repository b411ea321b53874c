import { el, failure } from "./dom.ts";
import { when } from "./format.ts";
import { currentPlace, hrefOf } from "./router.ts";
import { forgetToken, savedToken, type Session, signIn } from "./session.ts";
import { VIEWS } from "./views.ts";

const app = document.querySelector("#app") as HTMLElement;
let session: Session | null = null;

addEventListener("hashchange", () => {
  // A link with a token may be followed in a tab that is open.
  if (location.hash.startsWith("#token=")) void start();
  else if (session !== null) show(session);
});
void start();

async function start(): Promise<void> {
  const token = savedToken();
  if (token === null) return showSignIn();
  try {
    session = await signIn(token);
    show(session);
  } catch (error) {
    forgetToken();
    showSignIn(error);
  }
}

function showSignIn(error?: unknown): void {
  session = null;
  const said = el("div", { "aria-live": "polite" }, error === undefined ? null : failure(error));
  const token = el("textarea", {
    id: "token",
    rows: 4,
    required: true,
    spellcheck: "false",
    autocomplete: "off",
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      session = await signIn(token.value.trim());
      show(session);
    } catch (refused) {
      said.replaceChildren(failure(refused));
    }
  };
  const form = el(
    "form",
    { onsubmit: (event) => void submit(event) },
    el("label", { for: "token" }, "Session token"),
    token,
    el("button", { class: "primary" }, "Sign in"),
  );
  app.replaceChildren(
    el(
      "main",
      { class: "signin" },
      el("h1", {}, "mini-sphere"),
      el(
        "p",
        {},
        "See what the agents know. The token says which workspace, and what you may do there.",
      ),
      said,
      form,
      el(
        "p",
        { class: "quiet" },
        "It stays in this tab. ",
        el("code", {}, "npm start"),
        " prints a link that signs you in.",
      ),
    ),
  );
}

function show(open: Session): void {
  const place = currentPlace();
  const offered = VIEWS.filter((view) => open.can(view.needs));
  const view = offered.find(({ id }) => id === place.view) ?? offered[0];
  const main = el("main", { id: "main", tabindex: -1 });
  main.append(
    view === undefined
      ? el(
          "p",
          { class: "notice" },
          `The role ${open.claims.role} may not read, so there is nothing to show.`,
        )
      : view.render(open, place),
  );
  const links = offered
    .filter(({ title }) => title !== null)
    .map(({ id, title }) =>
      el("a", { href: hrefOf(id), "aria-current": id === view?.id ? "page" : null }, title),
    );
  app.replaceChildren(header(open, el("nav", { "aria-label": "Views" }, ...links)), main);
}

function header({ claims }: Session, nav: HTMLElement): HTMLElement {
  const leave = () => {
    forgetToken();
    history.replaceState(null, "", location.pathname);
    showSignIn();
  };
  return el(
    "header",
    { class: "top" },
    el("strong", { class: "brand" }, claims.workspace),
    nav,
    el(
      "p",
      { class: "who" },
      el("span", { class: "badge" }, claims.role),
      ` ${claims.actor} · until `,
      when(claims.expiresAt),
    ),
    el("button", { onclick: leave }, "Sign out"),
  );
}
