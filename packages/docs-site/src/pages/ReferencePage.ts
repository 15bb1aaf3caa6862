/** The first page of an API's reference: how to call it, and its operations by subject. */
import { empty, type Html, html } from "../Html.ts"
import { anchorLink, codeBlock, renderBrief, renderInline } from "../Markdown.ts"
import type { Page } from "../Page.ts"
import type { Operation } from "../reference/Reference.ts"
import { apiPath, operationPath, type ServedApi } from "../reference/ServedApi.ts"

export const referencePage = (api: ServedApi, baseUrl: string): Page => {
  const { description, subjects, title, version, webhooks } = api.reference
  const sent = webhooks.length > 0 ? [callbacks] : []
  return {
    path: apiPath(api),
    title,
    kind: "Reference",
    headings: [...subjects, ...sent].map((part) => ({ depth: 2, id: part.name, text: part.title })),
    body: html`<h1>${title}</h1>
      <div class="prose">
        ${description === undefined ? empty : renderBrief(description)}
        <p>
          Put the key into the shell once, and the commands on these pages work as they are copied. Version
          ${version}, described by <a href="${api.documentPath}">OpenAPI 3.1</a>.
        </p>
        ${codeBlock(`export ${api.keyVariable}='your key'`, "sh")}
        <dl class="facts">
          <dt>Base URL</dt>
          <dd><code>${baseUrl}</code></dd>
          <dt>Key</dt>
          <dd><code>Authorization: Bearer $${api.keyVariable}</code></dd>
        </dl>
      </div>
      ${subjects.map(
        ({ description: what, name, operations, title: subject }) =>
          html`<h2 id="${name}">${subject}${anchorLink(name, subject)}</h2>
            ${what === undefined ? empty : html`<p class="quiet">${renderInline(what)}</p>`}
            ${operationList(api, operations)}`
      )}
      ${
        webhooks.length === 0
          ? empty
          : html`<h2 id="${callbacks.name}">
                ${callbacks.title}${anchorLink(callbacks.name, callbacks.title)}
              </h2>
              <p class="quiet">What the service sends by itself.</p>
              ${operationList(api, webhooks)}`
      }`
  }
}

const callbacks = { name: "callbacks-sent", title: "Callbacks sent" }

const operationList = (api: ServedApi, operations: ReadonlyArray<Operation>): Html =>
  html`<ul class="operations">
    ${operations.map(
      ({ id, method, path, summary }) =>
        html`<li>
          <a href="${operationPath(api, id)}">${summary}</a>
          <span class="call"
            ><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></span
          >
        </li>`
    )}
  </ul>`
