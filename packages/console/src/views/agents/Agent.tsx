/** One agent: its load, its runners, and whether it accepts work. */
import type { Agent as AgentFacts } from "@runhook/sdk/admin"
import { useLocation } from "../../shell/Location.ts"
import { useAction } from "../../data/useAction.ts"
import { Kept } from "../../data/Kept.ts"
import { useLoad } from "../../data/useLoad.ts"
import { countOf } from "../../format/Amounts.ts"
import { plainWords } from "../../format/Hidden.ts"
import { useLive } from "../../live/Live.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { AskButton, Opener } from "../../parts/Opener.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Detail } from "../../shell/Detail.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { AgentForm } from "./AgentForm.tsx"
import { LoadMeter } from "./LoadMeter.tsx"
import { Runners } from "./Runners.tsx"
import { isUnserved, NoRunnerNote } from "./NoRunnerNote.tsx"

const kept = new Kept<AgentFacts>()

const all = { href: pathTo("/agents"), words: "Agents" }

export const Agent = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const loaded = useLoad(
    `agent ${account.value.id} ${id}`,
    (signal) => account.value.agents.get(id, { signal }),
    kept
  )
  const { reload, set } = loaded
  const turn = useAction(
    (state: "active" | "paused") => account.value.agents.update(id, { state }),
    (changed) => set(changed)
  )
  useLive([{ kind: "agent", id }, "execution"], reload)
  return (
    <Detail
      id={id}
      of={loaded}
      what="agent"
      all={all}
      head={(agent) => ({
        title: plainWords(agent.name),
        heading: (
          <>
            <UntrustedText text={agent.name} /> <Status of={agent.status} />
          </>
        ),
        acts: (
          <>
            <Opener word="Change…">
              {(close) => (
                <AgentForm
                  agent={agent}
                  onClose={close}
                  onDone={(changed) => {
                    close()
                    set(changed)
                  }}
                />
              )}
            </Opener>
            {agent.status !== "paused" && agent.status !== "disabled" ? (
              <>
                <Button isChange isRunning={turn.isRunning} onPress={() => turn.run("paused")}>
                  Pause
                </Button>
                <AskButton
                  kind="risk"
                  word="Disable"
                  title="Disable this agent"
                  act={async () => set(await account.value.agents.update(id, { state: "disabled" }))}
                >
                  <p>
                    New executions on it are refused. {countOf(agent.queued, "queued execution")}{" "}
                    {agent.queued === 1 ? "waits" : "wait"} until it is resumed; {agent.busy} running{" "}
                    {agent.busy === 1 ? "finishes" : "finish"} as usual. To keep accepting executions without
                    running them, pause it instead.
                  </p>
                </AskButton>
              </>
            ) : (
              <Button kind="first" isChange isRunning={turn.isRunning} onPress={() => turn.run("active")}>
                Resume
              </Button>
            )}
          </>
        ),
        children: agent.description === "" ? undefined : <UntrustedText text={agent.description} />
      })}
    >
      {(agent) => (
        <>
          <div class="stack">
            <Outcome problem={turn.problem} />
            {isUnserved(agent) ? <NoRunnerNote agent={agent} /> : null}
            <Card title="Now">
              <Facts
                of={{
                  Load: <LoadMeter busy={agent.busy} of={agent.capacity} what={agent.name} />,
                  Queue: (
                    <a href={pathTo("/executions", { agent: agent.id, status: "queued" })}>
                      {countOf(agent.queued, "execution")}
                    </a>
                  ),
                  Runners: String(agent.runners),
                  "Last seen":
                    agent.last_seen_at === null ? "never" : <Moment at={agent.last_seen_at} isExact />,
                  Id: <Id of={agent.id} isWhole />,
                  Created: <Moment at={agent.created_at} />
                }}
              />
            </Card>
            <section class="stack" aria-labelledby="runners">
              <h2 id="runners">Runners that serve it</h2>
              <Runners agentId={agent.id} />
            </section>
            <p class="acts">
              <AskButton
                kind="risk"
                word="Remove agent"
                title="Remove this agent"
                act={() => account.value.agents.remove(id)}
                onDone={() => route(pathTo("/agents"))}
              >
                <p>It can be removed once it has no unfinished executions. Its executions are kept.</p>
              </AskButton>
            </p>
          </div>
        </>
      )}
    </Detail>
  )
}
