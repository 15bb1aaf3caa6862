/** Says that an agent's work waits because no runner serves it, and how to start one. */
import type { Agent } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"

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
    <p>
      {agent.last_seen_at === null ? (
        "None ever has. "
      ) : (
        <>
          The last one was seen <Moment at={agent.last_seen_at} />.{" "}
        </>
      )}
      Start a runner with a runner key that may serve this agent: see{" "}
      <a href="/docs/guides/agents">how to write one</a>.
    </p>
  </Note>
)
