/** Says that an agent's work waits because no runner serves it, and how to start one. */
import type { Agent } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"
import { Moment, Note, prose, UntrustedText } from "../../parts/Parts.ts"
import { pathTo } from "../../shell/Shell.ts"
import { service } from "../../shell/Paths.ts"

export const isUnserved = ({ queued, status }: Agent): boolean => queued > 0 && status === "offline"

export const NoRunnerNote = ({ agent }: { readonly agent: Agent }) => (
  <Note
    tone="warn"
    title={
      <>
        {countOf(agent.queued, "execution")} {agent.queued === 1 ? "waits" : "wait"} for{" "}
        <UntrustedText text={agent.name} />, and no runner serves it
      </>
    }
  >
    {agent.last_seen_at === null
      ? "None has ever served it. "
      : prose`The last one was seen ${<Moment at={agent.last_seen_at} />}. `}
    <a href={pathTo("/access")}>Create a runner key</a> that may serve this agent and start a runner with it:
    see <a href={`${service}/docs/guides/agents`}>how to write one</a>.
  </Note>
)
