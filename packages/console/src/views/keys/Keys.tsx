/** The keys of the account, with their scope and last use. */
import { Kept, type KeptList, type Names, useFilters, useNames, useRows } from "../../data/Data.ts"
import type { Key } from "@runhook/sdk/admin"
import { Button, type Column, EmptyState, List, Moment, NameLink, Pick, Status } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { isUsable } from "../../format/Choices.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import "./keys.css"
import { scopeWords, stateOf } from "./KeyWords.ts"

const kept = new Kept<KeptList<Key>>()

export const Keys = () => {
  const { filters, set } = useFilters("/keys", ["revoked"])
  const names = useNames()
  const list = useRows(account.value.keys, { kept, kind: "key", query: { limit: 200 } })
  const isHiding = filters.revoked === "hidden"
  const rows = isHiding ? list.rows.filter(isUsable) : list.rows
  return (
    <>
      <Head title="API keys" acts={<NewKeyLink />}>
        Use one key for each calling system. Only the start of a key is stored in readable form.
      </Head>
      {list.isLoading || list.rows.length > 0 ? (
        <Pick
          class="pick keys-revoked"
          isPicked={!isHiding}
          onPick={(isPicked) => set({ revoked: isPicked ? "" : "hidden" })}
        >
          Show revoked
        </Pick>
      ) : null}
      <List
        of={{ ...list, rows }}
        one="key"
        label="API keys, newest first"
        none={
          isHiding && list.rows.length > 0 ? (
            <EmptyState title="All keys here are revoked" action={<NewKeyLink />} />
          ) : (
            <EmptyState title="No key yet" action={<NewKeyLink />}>
              A system needs one to call Runhook.
            </EmptyState>
          )
        }
        columns={columnsWith(names.data ?? { tasks: [], agents: [], keys: [] })}
      />
    </>
  )
}

const NewKeyLink = () =>
  isAdmin.value ? (
    <a class="btn first" href={pathTo("/keys/new")}>
      New key
    </a>
  ) : (
    <Button kind="first" isChange>
      New key
    </Button>
  )

const columnsWith = ({ agents, tasks }: Names): ReadonlyArray<Column<Key>> => [
  { head: "State", class: "p1", cell: (key) => <Status of={stateOf(key, now())} /> },
  {
    head: "Key",
    isRowHead: true,
    cell: ({ id, name }) => <NameLink href={pathOf`/keys/${id}`} text={name} />,
    sub: ({ prefix }) => <code>rhlive_{prefix}_…</code>
  },
  {
    head: "Tasks",
    class: "p2",
    cell: ({ allowed_task_ids: ids }) => words(scopeWords(ids, { known: tasks, many: "tasks" }))
  },
  {
    head: "Agents",
    class: "p3",
    cell: ({ allowed_agent_ids: ids }) => words(scopeWords(ids, { known: agents, many: "agents" }))
  },
  {
    head: "Last used",
    class: "p1 line",
    cell: ({ last_used_at: at }) => at && <Moment at={at} />,
    none: "Never used"
  },
  { head: "Expires", class: "p2", cell: ({ expires_at: at }) => at && <Moment at={at} />, none: "Never" }
]

const words = (text: string) => <UntrustedText text={text} isBrief />
