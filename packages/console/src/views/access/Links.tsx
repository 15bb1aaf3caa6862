/** Sign-in links that were made, and how to withdraw one. */
import type { ConsoleLink } from "@runhook/sdk/admin"
import { type Action, useAction } from "../../data/useAction.ts"
import { rowsOf, useList } from "../../data/useList.ts"
import { Button } from "../../parts/Button.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { List } from "../../parts/List.tsx"
import { Moment } from "../../parts/Moment.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { useEvery } from "../../time/useEvery.ts"
import { peopleEveryMs } from "./People.tsx"

/** The statuses whose icons they have. */
const looks: { readonly [state: string]: string } = {
  open: "waiting",
  used: "completed",
  withdrawn: "revoked"
}

const words: { readonly [state: string]: string } = {
  open: "Not used yet",
  used: "Used",
  withdrawn: "Withdrawn"
}

const columnsOf = (withdraw: Action<[string], unknown>): ReadonlyArray<Column<ConsoleLink>> => [
  { head: "For", isRowHead: true, cell: ({ name }) => <UntrustedText text={name} isBrief /> },
  { head: "Role", class: "p1", cell: ({ role }) => role },
  {
    head: "State",
    cell: ({ state }) => <Status of={looks[state] ?? state} word={words[state]} tone="quiet" />
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
  const { consoleLinks, id } = account.value
  const list = useList({
    key: `links ${id}`,
    ...rowsOf<ConsoleLink>(consoleLinks)
  })
  useEvery(peopleEveryMs, list.reload)
  const withdraw = useAction((link: string) => consoleLinks.withdraw(link), list.reload)
  return (
    <section aria-labelledby="links">
      <h2 id="links" class="gapped">
        Sign-in links
      </h2>
      <Outcome problem={withdraw.problem} />
      <List
        of={list}
        one="link"
        label="Sign-in links, newest first"
        none={<EmptyState title="No links yet">A link signs one person in, once.</EmptyState>}
        columns={columnsOf(withdraw)}
      />
    </section>
  )
}
