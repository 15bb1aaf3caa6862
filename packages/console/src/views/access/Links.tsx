/** Sign-in links that were made, and how to withdraw one. */
import { type Action, useAction, useRows } from "../../data/Data.ts"
import type { ConsoleLink } from "@runhook/sdk/admin"
import { Button, type Column, EmptyState, List, Moment, Outcome, Section, Status } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { useEvery } from "../../time/useEvery.ts"
import { peopleEveryMs } from "./People.tsx"

/** The statuses whose icons they have, and their words. */
const looks: { readonly [state: string]: readonly [of: string, word: string] } = {
  open: ["waiting", "Not used yet"],
  used: ["completed", "Used"],
  withdrawn: ["revoked", "Withdrawn"]
}

const columnsOf = (withdraw: Action<[string], unknown>): ReadonlyArray<Column<ConsoleLink>> => [
  { head: "For", isRowHead: true, cell: ({ name }) => <UntrustedText text={name} isBrief /> },
  { head: "Role", class: "p1", cell: ({ role }) => role },
  {
    head: "State",
    cell: ({ state }) => {
      const [of, word] = looks[state] ?? [state]
      return <Status of={of} word={word} tone="quiet" />
    }
  },
  { head: "Created by", class: "p2", cell: ({ maker }) => <UntrustedText text={maker.name} isBrief /> },
  { head: "Created", class: "p2", cell: ({ created_at }) => <Moment at={created_at} /> },
  { head: "Expires", class: "p2", cell: ({ expires_at }) => <Moment at={expires_at} /> },
  {
    head: "Withdraw",
    class: "end p1",
    cell: ({ id, name, state }) =>
      state === "open" ? (
        <Button
          kind="bare"
          isChange
          isRunning={withdraw.isRunning}
          label={`Withdraw the link for ${name}`}
          onPress={() => withdraw.run(id)}
        >
          Withdraw
        </Button>
      ) : null
  }
]

export const Links = () => {
  const { consoleLinks } = account.value
  const list = useRows<ConsoleLink>(consoleLinks, {})
  useEvery(peopleEveryMs, list.list.renew)
  const withdraw = useAction((link: string) => consoleLinks.withdraw(link), list.reload)
  return (
    <Section title="Sign-in links">
      <Outcome problem={withdraw.problem} />
      <List
        of={list}
        one="link"
        label="Sign-in links, newest first"
        none={<EmptyState title="No links yet">A link signs one person in, once.</EmptyState>}
        columns={columnsOf(withdraw)}
      />
    </Section>
  )
}
