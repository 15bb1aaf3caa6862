/** Current numbers. */
import type { Overview } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { boundedWords, durationWords } from "../../format/Amounts.ts"
import { pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"

export const RightNow = ({ of }: { readonly of: Overview }) => {
  const counted = (count: number) => boundedWords(count, of.counts_to)
  const oldest = of.oldest_queued_at === null ? null : now() - Date.parse(of.oldest_queued_at)
  return (
    <section class="card" aria-label="Right now">
      <dl class="now">
        <Fact name="Running" href={pathTo("/executions", { status: "running" })}>
          {counted(of.running)} of {counted(of.slots)}
        </Fact>
        <Fact name="Queued" href={pathTo("/executions", { status: "queued" })}>
          {counted(of.queued)}
          {oldest === null || oldest < 1_000 ? null : (
            <small class="quiet">, oldest {durationWords(oldest)}</small>
          )}
        </Fact>
        <Fact name="Needs input" href={pathTo("/executions", { status: "awaiting_input" })}>
          {counted(of.needs_input)}
        </Fact>
        <Fact name="Runners" href={pathTo("/agents")}>
          {counted(of.runners)}
          {of.draining === 0 ? null : <small class="quiet">, {counted(of.draining)} draining</small>}
        </Fact>
        <Fact name="Callbacks waiting" href={pathTo("/deliveries", { state: "waiting" })}>
          {counted(of.waiting_deliveries)}
        </Fact>
        <Fact name="Dead letters" href={pathTo("/dead-letters")}>
          {counted(of.dead_letters)}
        </Fact>
      </dl>
    </section>
  )
}

interface FactProps {
  readonly name: string
  readonly href: string
  readonly children: ComponentChild | ReadonlyArray<ComponentChild>
}

const Fact = ({ children, href, name }: FactProps) => (
  <div>
    <dt>
      <a href={href}>{name}</a>
    </dt>
    <dd>{children}</dd>
  </div>
)
