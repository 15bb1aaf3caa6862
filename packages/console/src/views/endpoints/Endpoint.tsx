/** One standing endpoint: what it is told, its last deliveries, and its secret. */
import { Detail, Head, headOf, pathOf, pathTo, useLocation } from "../../shell/Shell.ts"
import { AskButton, Button, Card, Code, type Column, Dialog, FactsCard, Latest } from "../../parts/Parts.ts"
import { Moment, Note, OnlyAdmins, type Opened, Opener, Outcome, prose, Queued } from "../../parts/Parts.ts"
import { Status, ThingLink, UntrustedText, WholeId } from "../../parts/Parts.ts"
import type { Delivery, WebhookEndpoint } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { Kept, useAction, useLive, useLoad } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { curl } from "../../format/Curl.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { stateOf } from "../deliveries/DeliveryWords.ts"
import { LastAnswer } from "../deliveries/LastAnswer.tsx"
import { Overlap } from "../keys/Rotate.tsx"
import { useNewSecrets } from "../keys/ShownOnce.tsx"
import { EndpointForm } from "./EndpointForm.tsx"
import { endpointName } from "../../format/Choices.ts"
import { filterWords } from "./EndpointWords.ts"
import { serviceUrl } from "../../shell/Location.ts"

const kept = new Kept<WebhookEndpoint>()

/** Its latest deliveries that are shown. */
const deliveriesMax = 10

export const Endpoint = ({ id }: { readonly id: string }) =>
  isAdmin.value ? (
    <OfAdmins id={id} />
  ) : (
    <>
      <Head title="Endpoint" crumb={<a href={pathTo("/endpoints")}>Endpoints</a>} />
      <OnlyAdmins see="where an endpoint sends events, and which">
        You see <a href={pathTo("/deliveries", { endpoint: id })}>its deliveries</a>.
      </OnlyAdmins>
    </>
  )

const OfAdmins = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const { deliveries, endpoints } = account.value
  const loaded = useLoad(`endpoint ${id}`, (signal) => endpoints.get(id, { signal }), kept)
  const sent = useLoad(`sent to ${id}`, (signal) =>
    deliveries.list({ endpoint_id: id, limit: deliveriesMax }, { signal }).page()
  )
  const { reload, set } = loaded
  const secrets = useNewSecrets()
  const turn = useAction((enabled: boolean) => endpoints.update(id, { enabled }), set)
  const test = useAction(() => endpoints.test(id), sent.reload)
  useLive("audit", reload)
  useLive("delivery", sent.reload)
  return (
    <Detail
      id={id}
      of={loaded}
      what="endpoint"
      head={(of) => ({
        ...headOf(endpointName(of), of.enabled ? "active" : "paused"),
        children: filterWords(of),
        acts: (
          <>
            <Button kind="first" isChange action={test}>
              Send test
            </Button>
            <Button isChange isRunning={turn.isRunning} onPress={() => turn.run(!of.enabled)}>
              {of.enabled ? "Pause" : "Resume"}
            </Button>
            <Opener word="Change…" onDone={set}>
              {(dialog) => <EndpointForm of={of} {...dialog} />}
            </Opener>
            <Opener
              word="Rotate secret…"
              onDone={(signingSecret: string) => {
                secrets.show({ signingSecret }, endpointName(of))
                reload()
              }}
            >
              {(dialog) => <Rotate of={of} {...dialog} />}
            </Opener>
            <AskButton
              kind="risk"
              word="Remove"
              title="Remove this endpoint"
              act={() => endpoints.remove(id)}
              onDone={() => route(pathTo("/endpoints"))}
            >
              It is told nothing more, and what waits for it is cancelled. To stop new events and still
              deliver what waits, pause it.
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
                <Queued
                  title="The test is queued"
                  href={pathOf`/deliveries/${test.done.delivery_id}`}
                  what="delivery"
                />
              )}
            </Outcome>
            {secrets.card}
            {of.enabled ? null : (
              <Note title="This endpoint is paused">
                Events that happen now are never told to it. What waits already is still delivered.
              </Note>
            )}
            <Latest
              many="deliveries"
              of={sent}
              columns={columns}
              all={pathTo("/deliveries", { endpoint: id })}
            />
            {of.kind === "poll" ? (
              <Card title="Fetch its messages">
                <Code
                  of="command that fetches messages"
                  text={curl({ baseUrl: serviceUrl(), path: `/webhooks/endpoints/${id}/messages?wait=30` })}
                />
                <p class="quiet">Acknowledge each within a minute; otherwise it is given out again.</p>
              </Card>
            ) : null}
          </div>
          <FactsCard
            of={{
              URL: of.url && <UntrustedText text={of.url} />,
              Kind: of.kind === "poll" ? "Fetched as messages" : "Sent",
              Key: of.key_id === null ? "Whole account" : <ThingLink of="keys" id={of.key_id} />,
              "Removed when unused for":
                of.remove_after_seconds === null ? null : durationWords(of.remove_after_seconds * 1_000),
              "Previous secret":
                of.previous_expires_at && prose`signs until ${<Moment at={of.previous_expires_at} />}`,
              Created: <Moment at={of.created_at} />,
              Changed: <Moment at={of.updated_at} />,
              Id: <WholeId of={of.id} />
            }}
          />
        </div>
      )}
    </Detail>
  )
}

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

const Rotate = ({ of, onClose, onDone }: Opened<string> & { readonly of: WebhookEndpoint }) => {
  const [overlap, setOverlap] = useState(86_400)
  const rotate = useAction(
    () => account.value.endpoints.rotate(of.id, { overlap_seconds: overlap }),
    ({ signing_secret }) => onDone(signing_secret)
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
