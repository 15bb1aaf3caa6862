/** Dead letters by receiver and cause: one fix usually clears a whole group. */
import type { DeadLetterGroup } from "@runhook/sdk/admin"
import { urlWords } from "../../format/Ids.ts"
import { Button, type Column, NameLink, Table } from "../../parts/Parts.ts"
import { causeWords } from "../deliveries/CauseWords.ts"
import { atLeastWords, filterOf, groupHref, groupKey, typeWords } from "./Groups.ts"
import { Span } from "./Span.tsx"

export interface GroupTableProps {
  readonly groups: ReadonlyArray<DeadLetterGroup>
  readonly onReplay: (group: DeadLetterGroup) => void
}

export const GroupTable = ({ groups, onReplay }: GroupTableProps) => (
  <Table
    class="list groups"
    label="Dead letters by receiver and cause"
    items={groups}
    idOf={groupKey}
    columns={columnsOf(onReplay)}
  />
)

const columnsOf = (replay: GroupTableProps["onReplay"]): ReadonlyArray<Column<DeadLetterGroup>> => [
  {
    head: "Receiver and cause",
    isRowHead: true,
    cell: (group) => <NameLink href={groupHref(group)} text={urlWords(group.origin)} />,
    sub: ({ cause }) => causeWords(cause)
  },
  { head: "Count", class: "end num", cell: ({ dead, is_more }) => atLeastWords(dead, is_more) },
  { head: "Events", class: "p3", cell: ({ types }) => typeWords(types) },
  {
    head: "Created",
    class: "p1",
    cell: ({ newest_at, oldest_at }) => <Span from={oldest_at} to={newest_at} />
  },
  {
    head: "Replay",
    class: "end",
    isHeadHidden: true,
    cell: (group) => (
      <Button
        isChange
        label={`Replay ${group.dead} to ${group.origin}, ${causeWords(group.cause)}`}
        why={filterOf(group) === undefined ? "Reload this page: it is out of date." : undefined}
        onPress={() => replay(group)}
      >
        Replay…
      </Button>
    )
  }
]
