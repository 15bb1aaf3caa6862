/** One attempt: first the response, then the request. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { byteWords } from "../../format/Amounts.ts"
import { hasHidden } from "../../format/Hidden.ts"
import { Card, Code, JsonTree, UntrustedText } from "../../parts/Parts.ts"

/** Bodies up to this size are shown unfolded. */
const openBytes = 2_000

export interface AttemptDetailProps {
  readonly of: DeliveryDetail
  readonly attempt: DeliveryAttempt
}

export const AttemptDetail = ({ attempt, of: { callback_url, payload } }: AttemptDetailProps) => {
  const { error, number, remote_address, request, response, round } = attempt
  const bytes = new TextEncoder().encode(payload).length
  const answer = response === null ? null : answerText(response)
  const said = response?.body ?? ""
  return (
    <Card title={round === 1 ? `Attempt ${number}` : `Attempt ${number} of round ${round}`}>
      <div class="two http">
        <div class="stack">
          <h3>Answer</h3>
          {answer === null ? (
            <p class="bad">
              <UntrustedText text={error ?? "No answer came"} />
              {remote_address === null ? null : `, at ${remote_address}`}
            </p>
          ) : (
            <>
              {response !== null && response.status < 300 && error !== null ? (
                <p class="bad">
                  <UntrustedText text={error} />
                </p>
              ) : null}
              <Code text={answer} of="answer" />
              {said === "" ? null : <JsonTree text={said} name="answer body" />}
            </>
          )}
          {response?.truncated === true ? <p class="quiet">The rest was not kept.</p> : null}
          {answer !== null && hasHidden(answer + said) ? (
            <p class="quiet">Hidden characters are shown as marks. Copy gives the original.</p>
          ) : null}
        </div>
        <div class="stack">
          <h3>Request</h3>
          {request === null ? (
            <p class="quiet">Nothing was sent.</p>
          ) : (
            <Code text={requestText(callback_url, request.headers)} of="request headers" />
          )}
        </div>
      </div>
      <details class="fold" open={bytes <= openBytes}>
        <summary>Body, {byteWords(bytes)}, the same in every attempt</summary>
        <JsonTree text={payload} name="body" />
      </details>
    </Card>
  )
}

const answerText = ({ headers, status }: NonNullable<DeliveryAttempt["response"]>): string =>
  [`HTTP/1.1 ${status}`, ...lines(headers)].join("\n")

const requestText = (url: string, headers: Readonly<Record<string, string>>): string => {
  const parsed = URL.parse(url)
  const path = parsed === null ? url : `${parsed.pathname}${parsed.search}`
  return [`POST ${path} HTTP/1.1`, ...lines(headers)].join("\n")
}

const lines = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
