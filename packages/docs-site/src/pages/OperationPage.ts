/** The page of one operation. */
import { empty, type Html, html } from "../Html.ts"
import { anchorLink, codeBlock, type Heading, renderBrief, renderInline, tableFrame } from "../Markdown.ts"
import type { Page } from "../Page.ts"
import { curlOf } from "../reference/Curl.ts"
import type { Example } from "../reference/Example.ts"
import type { Answer, Body, Operation } from "../reference/Reference.ts"
import type { Field } from "../reference/Schema.ts"
import { apiPath, operationPath, type ServedApi } from "../reference/ServedApi.ts"

interface Part {
  readonly id: string
  readonly title: string
  readonly content: Html
}

export const operationPage = (api: ServedApi, operation: Operation, baseUrl: string): Page => {
  const { description, id, isDeprecated, method, path, summary } = operation
  const parts = partsOf(api, operation, baseUrl)
  return {
    path: operationPath(api, id),
    title: summary,
    kind: api.reference.title,
    headings: parts.map((part): Heading => ({ depth: 2, id: part.id, text: part.title })),
    body: html`<p class="crumb"><a href="${apiPath(api)}">${api.reference.title}</a></p>
      <h1>${summary}</h1>
      <p class="call big">
        <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      </p>
      ${isDeprecated ? html`<p class="note">Deprecated: it still works, and will go.</p>` : empty}
      ${description === undefined ? empty : html`<div class="prose">${renderBrief(description)}</div>`}
      ${parts.map(
        (part) =>
          html`<h2 id="${part.id}">${part.title}${anchorLink(part.id, part.title)}</h2>
            ${part.content}`
      )}`
  }
}

const isError = ({ status }: Answer): boolean => /^[45]/.test(status)

const partsOf = (api: ServedApi, operation: Operation, baseUrl: string): ReadonlyArray<Part> => {
  const { answers, body, parameters } = operation
  const isSent = operation.path.startsWith("/")
  const [errors, others] = [answers.filter(isError), answers.filter((answer) => !isError(answer))]
  const call = { baseUrl, keyVariable: api.keyVariable }
  return [
    ...(isSent
      ? [{ id: "example", title: "Example", content: codeBlock(curlOf(operation, call), "sh") }]
      : []),
    ...(parameters.length > 0
      ? [{ id: "parameters", title: isSent ? "Parameters" : "Headers", content: parameterList(operation) }]
      : []),
    ...(body === undefined ? [] : [{ id: "body", title: "Body", content: bodyOf(body, "in") }]),
    { id: "answers", title: isSent ? "Answers" : "What to answer", content: html`${others.map(answerOf)}` },
    ...(errors.length > 0
      ? [{ id: "errors", title: isSent ? "Errors" : "What counts as refused", content: errorTable(errors) }]
      : [])
  ]
}

const parameterList = ({ parameters }: Operation): Html =>
  html`<dl class="fields">${parameters.map(({ field, place }) => fieldOf(field, `in ${place}`))}</dl>`

const fieldOf = ({ description, isRequired, name, rules, type }: Field, place?: string): Html =>
  html`<div>
    <dt>
      <code>${name}</code> <span class="type">${type}</span>${
        place === undefined ? empty : html` <span class="type">${place}</span>`
      }${isRequired ? html` <span class="required">required</span>` : empty}
    </dt>
    <dd>
      ${description === undefined ? empty : renderInline(description)}
      ${rules.length === 0 ? empty : html`<span class="rules">${rules.join(" ")}</span>`}
    </dd>
  </div>`

/** An answer requires nothing of the reader. */
const bodyOf = ({ contentType, examples, isRequired, shapes }: Body, way: "in" | "out"): Html =>
  html`<p class="quiet">
      <code>${contentType}</code>${isRequired || way === "out" ? "" : ", may be left out"}
    </p>
    ${shapes.length > 1 ? html`<p>One of these ${shapes.length}:</p>` : empty}
    ${shapes.map(
      ({ description, fields, type }) =>
        html`${description === undefined ? empty : html`<p>${renderInline(description)}</p>`}
        ${
          fields.length === 0
            ? html`<p class="quiet">${type === "object" ? "An object of any fields." : type}</p>`
            : html`<dl class="fields">
                ${fields.map((field) => fieldOf(way === "in" ? field : { ...field, isRequired: false }))}
              </dl>`
        }`
    )}
    ${examples.map(exampleOf)}`

const exampleOf = ({ title, value }: Example): Html =>
  html`<p class="quiet">${title === undefined ? "For example" : title}</p>
    ${codeBlock(JSON.stringify(value, null, 2), "json")}`

const answerOf = ({ body, description, headers, status }: Answer): Html =>
  html`<section class="answer">
    <h3><span class="status">${status}</span> ${renderInline(description)}</h3>
    ${
      body === undefined
        ? empty
        : html`<details>
            <summary>Fields and an example</summary>
            ${bodyOf(body, "out")}
          </details>`
    }
    ${
      headers.length === 0
        ? empty
        : html`<p class="quiet">
            Headers: ${headers.map((name, index) => html`${index > 0 ? ", " : ""}<code>${name}</code>`)}
          </p>`
    }
  </section>`

const errorTable = (errors: ReadonlyArray<Answer>): Html =>
  tableFrame(
    html`<table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${errors.map(
          ({ description, status }) =>
            html`<tr>
              <td><span class="status">${status}</span></td>
              <td>${renderInline(description)}</td>
            </tr>`
        )}
      </tbody>
    </table>`
  )
