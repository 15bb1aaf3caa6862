/** One standing endpoint: what it is told, its last deliveries, and its secret. */
import type { Delivery, WebhookEndpoint } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { Kept } from "../../data/Kept.ts"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { durationWords } from "../../format/Amounts.ts"
import { plainWords } from "../../format/Hidden.ts"
import { useLive } from "../../live/Live.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Code } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { AskButton, Opener } from "../../parts/Opener.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Detail } from "../../shell/Detail.tsx"
import { useLocation } from "../../shell/Location.ts"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { stateOf } from "../deliveries/DeliveryWords.ts"
import { LastAnswer } from "../deliveries/LastAnswer.tsx"
import { KeyLink } from "../keys/KeyLink.tsx"
import { Overlap } from "../keys/Overlap.tsx"
import { ShownOnce } from "../keys/ShownOnce.tsx"
import { EndpointForm } from "./EndpointForm.tsx"
import { filterWords, nameOf } from "./EndpointWords.ts"

const kept = new Kept<WebhookEndpoint>()

const all = { href: pathTo("/endpoints"), words: "Endpoints" }

/** Its latest deliveries that are shown. */
const deliveriesMax = 10

export const Endpoint = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const { deliveries, endpoints } = account.value
  const loaded = useLoad(`endpoint ${id}`, (signal) => endpoints.get(id, { signal }), kept)
  const sent = useLoad(`sent to ${id}`, (signal) =>
    deliveries.list({ endpoint_id: id, limit: deliveriesMax }, { signal }).page()
  )
  const { reload, set } = loaded
  const [secret, setSecret] = useState<string>()
  const turn = useAction((enabled: boolean) => endpoints.update(id, { enabled }), set)
  const test = useAction(() => endpoints.test(id), sent.reload)
  useLive("audit", reload)
  useLive("delivery", sent.reload)
  return (
    <Detail
      id={id}
      of={loaded}
      what="endpoint"
      all={all}
      head={(of) => ({
        title: plainWords(nameOf(of), 80),
        heading: (
          <>
            <UntrustedText text={nameOf(of)} isBrief max={80} />{" "}
            <Status of={of.enabled ? "active" : "paused"} />
          </>
        ),
        children: filterWords(of),
        acts: (
          <>
            <Button kind="first" isChange isRunning={test.isRunning} onPress={test.run}>
              Send test
            </Button>
            <Button isChange isRunning={turn.isRunning} onPress={() => turn.run(!of.enabled)}>
              {of.enabled ? "Pause" : "Resume"}
            </Button>
            <Opener word="Change…">
              {(close) => (
                <EndpointForm
                  of={of}
                  onClose={close}
                  onDone={(changed) => {
                    close()
                    set(changed)
                  }}
                />
              )}
            </Opener>
            <Opener word="Rotate secret…">
              {(close) => (
                <Rotate
                  of={of}
                  onClose={close}
                  onMade={(made) => {
                    close()
                    setSecret(made)
                    reload()
                  }}
                />
              )}
            </Opener>
            <AskButton
              kind="risk"
              word="Remove"
              title="Remove this endpoint"
              act={() => endpoints.remove(id)}
              onDone={() => route(all.href)}
            >
              <p>
                It is told nothing more, and what waits for it is cancelled. To stop new events and still
                deliver what waits, pause it.
              </p>
            </AskButton>
          </>
        )
      })}
    >
      {(of) => (
        <div class="cols">
          <div class="stack">
            <Outcome problem={test.problem ?? turn.problem}>
              {test.done === undefined ? null : (
                <Note tone="good" title="The test is queued">
                  <p>
                    <a href={pathOf`/deliveries/${test.done.delivery_id}`}>Open the delivery</a>
                  </p>
                </Note>
              )}
            </Outcome>
            {secret === undefined ? null : (
              <section class="card" aria-label="New secret">
                <ShownOnce
                  key={secret}
                  secrets={{ signingSecret: secret }}
                  name={nameOf(of)}
                  onDone={() => setSecret(undefined)}
                />
              </section>
            )}
            {of.enabled ? null : (
              <Note title="This endpoint is paused">
                <p>Events that happen now are never told to it. What waits already is still delivered.</p>
              </Note>
            )}
            <Card title="Last deliveries">
              {sent.data === undefined || sent.data.data.length === 0 ? (
                <p class="quiet">None yet.</p>
              ) : (
                <>
                  <Table
                    label="Its latest deliveries"
                    class="list"
                    items={sent.data.data}
                    idOf={(delivery) => delivery.id}
                    columns={columns}
                  />
                  <p>
                    <a href={pathTo("/deliveries", { endpoint: id })}>All of its deliveries</a>
                  </p>
                </>
              )}
            </Card>
            {of.kind === "poll" ? (
              <Card title="Fetch its messages">
                <Code of="command that fetches messages" text={fetchOf(id)} />
                <p class="quiet">Acknowledge each within a minute; otherwise it is given out again.</p>
              </Card>
            ) : null}
          </div>
          <Card title="Facts">
            <Facts
              of={{
                URL: of.url && <UntrustedText text={of.url} />,
                Kind: of.kind === "poll" ? "Fetched as messages" : "Sent",
                Key: of.key_id === null ? "Whole account" : <KeyLink id={of.key_id} />,
                "Removed when unused for":
                  of.remove_after_seconds === null ? null : durationWords(of.remove_after_seconds * 1_000),
                "Previous secret": of.previous_expires_at && (
                  <>
                    signs until <Moment at={of.previous_expires_at} />
                  </>
                ),
                Created: <Moment at={of.created_at} />,
                Changed: <Moment at={of.updated_at} />,
                Id: <Id of={of.id} isWhole />
              }}
            />
          </Card>
        </div>
      )}
    </Detail>
  )
}

const fetchOf = (id: string): string =>
  [
    `curl '${location.origin}/api/v1/integrations/webhooks/endpoints/${id}/messages?wait=30'`,
    `-H "Authorization: Bearer $RUNHOOK_API_KEY"`
  ].join(" \\\n  ")

const columns: ReadonlyArray<Column<Delivery>> = [
  { head: "State", cell: (delivery) => <Status of={stateOf(delivery)} /> },
  {
    head: "Event",
    isRowHead: true,
    cell: ({ id, type }) => <a href={pathOf`/deliveries/${id}`}>{type}</a>
  },
  { head: "Last answer", class: "p1", cell: (delivery) => <LastAnswer of={delivery} /> },
  { head: "Since", class: "end", cell: ({ created_at }) => <Moment at={created_at} /> }
]

interface RotateProps {
  readonly of: WebhookEndpoint
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

const Rotate = ({ of, onClose, onMade }: RotateProps) => {
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useAction(
    () => account.value.endpoints.rotate(of.id, { overlap_seconds: overlap }),
    (made) => onMade(made.signing_secret)
  )
  return (
    <Dialog
      title="Rotate the signing secret"
      onClose={onClose}
      confirm={{ word: "Show the new secret", action: rotate, isRisk: overlap === 0, cancel: "Not now" }}
    >
      <p>The new secret signs from now on, and the old one beside it for a while.</p>
      <Overlap label="The old secret signs too for" value={overlap} onChange={setOverlap} hasNone />
    </Dialog>
  )
}
