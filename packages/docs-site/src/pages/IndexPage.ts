/** The first page: three doors, the references, and every guide. */
import type { Shelf } from "../guides/Guide.ts"
import { empty, html } from "../Html.ts"
import type { Page } from "../Page.ts"
import { apiPath, type ServedApi } from "../reference/ServedApi.ts"

const doors = [
  {
    file: "docs/integrating/README.md",
    title: "Integrate",
    text: "Your system queues executions, follows them, fetches what they captured, and is told of every change."
  },
  {
    file: "docs/operating/README.md",
    title: "Operate",
    text: "You run the service: install and secure it, watch, upgrade and scale it, and find out what is wrong."
  },
  {
    file: "docs/embedding/README.md",
    title: "Embed",
    text: "Your application holds the engine: your users, your PostgreSQL, executions in your transactions."
  },
  {
    file: "docs/agents/README.md",
    title: "Write an agent",
    text: "Your program does the work: it takes executions, reports progress, asks questions and uploads files."
  }
]

export const indexPage = (apis: ReadonlyArray<ServedApi>, shelves: ReadonlyArray<Shelf>): Page => {
  const guides = shelves.flatMap((shelf) => shelf.guides)
  const open = doors.flatMap((door) =>
    guides.filter(({ file }) => file === door.file).map(({ path }) => ({ ...door, path }))
  )
  return {
    path: "/docs",
    title: "Documentation",
    kind: "Documentation",
    headings: [],
    body: html`<h1>Documentation</h1>
      <p class="lead">
        Runhook queues task executions on agents over HTTP, lets callers follow them and fetch what they
        captured, and sends signed callbacks when they are queued, start and end.
      </p>
      ${
        open.length === 0
          ? empty
          : html`<ul class="doors">
              ${open.map(
                ({ path, text, title }) =>
                  html`<li>
                    <a href="${path}">${title}</a>
                    <p>${text}</p>
                  </li>`
              )}
            </ul>`
      }
      <h2>References</h2>
      <ul class="list">
        ${apis.map(
          (api) =>
            html`<li>
              <a href="${apiPath(api)}">${api.reference.title}</a>
              <p class="quiet">${api.reference.description}</p>
            </li>`
        )}
      </ul>
      ${
        guides.length === 0
          ? empty
          : html`<h2>Guides</h2>
              <div class="shelves">
                ${shelves.map(
                  (shelf) =>
                    html`<section>
                      <h3>${shelf.title}</h3>
                      <ol>
                        ${shelf.guides.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}
                      </ol>
                    </section>`
                )}
              </div>`
      }`
  }
}
