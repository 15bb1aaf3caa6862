/** The audit log: who changed what, from where, and what it was before. Read only. */
import { Kept, type KeptList, useAction, useFilters, useRows } from "../../data/Data.ts"
import type { AuditEntry, AuditFilter, AuditSubjectKind } from "@runhook/sdk/admin"
import { download } from "../../data/Download.ts"
import { sentenceCase } from "../../format/Amounts.ts"
import { chosenOf } from "../../format/Choices.ts"
import { Button, type Column, EmptyState, type Filter, FilterBar, Id, List } from "../../parts/Parts.ts"
import { Moment, NoMatch, Outcome, prose, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Head, pathOf } from "../../shell/Shell.ts"
import { zone } from "../../time/Zone.ts"
import "./audit.css"
import { detailOf, endOfDay, fieldsOf, hasFields, startOfDay } from "./AuditWords.ts"

const kinds: ReadonlyArray<readonly [kind: AuditSubjectKind, words: string]> = [
  ["key", "Keys and secrets"],
  ["runner_key", "Runner keys"],
  ["agent", "Agents"],
  ["task", "Tasks"],
  ["execution", "Executions"],
  ["delivery", "Deliveries"],
  ["replay", "Replays"],
  ["schedule", "Schedules"],
  ["session", "Signing in"],
  ["account", "The account"]
]

const filterBar: ReadonlyArray<Filter<"q" | "kind" | "subject" | "from" | "to">> = [
  { name: "q", label: "Who, what or id", kind: "text" },
  { name: "kind", label: "Kind", kind: "choice", of: kinds },
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To", kind: "day" },
  { name: "subject", label: "Of", kind: "link", words: (id) => <Id of={id} /> }
]

const kept = new Kept<KeptList<AuditEntry>>()

export const Audit = () => {
  const by = useFilters("/audit", ["q", "kind", "subject", "from", "to"])
  const { filters, isAny } = by
  const [from, to] = [startOfDay(filters.from, zone.value), endOfDay(filters.to, zone.value)]
  const query: AuditFilter = {
    q: filters.q,
    kind: chosenOf(kinds, filters.kind),
    subject_id: filters.subject,
    from,
    to
  }
  const list = useRows<AuditEntry, AuditFilter>(account.value.audit, { kept, kind: "audit", query })
  const csv = useAction(
    () => account.value.audit.csv(query),
    (text) => download(text, { name: "audit.csv", type: "text/csv" })
  )
  return (
    <>
      <Head title="Audit log" acts={<Button action={csv}>Download as CSV</Button>}>
        Every change, recorded as it happens, without secrets.
      </Head>
      <Outcome problem={csv.problem} />
      <FilterBar by={by} of={filterBar} />
      <List
        of={list}
        one="change"
        label="Changes, newest first"
        none={
          isAny ? (
            <NoMatch by={by} text="q">
              Ids must match in full, names in part.
            </NoMatch>
          ) : (
            <EmptyState title="No changes yet">Changes in the account appear here.</EmptyState>
          )
        }
        columns={columns}
      />
    </>
  )
}

const kindWords: { readonly [kind: string]: string } = {
  operator: "operator",
  key: "by key",
  service: "automatic"
}

const What = ({ of: entry }: { readonly of: AuditEntry }) => {
  const detail = detailOf(entry)
  return (
    <>
      {sentenceCase(entry.action)}
      <span class="sub">
        <Subject of={entry} />
        {detail === "" ? null : prose`, ${<UntrustedText text={detail} isBrief />}`}
      </span>
      {hasFields(entry) ? (
        <details class="changed">
          <summary>Before and after</summary>
          <Fields of={entry} />
        </details>
      ) : null}
    </>
  )
}

/** Kinds of which each has a page, by the list that it is in. */
const homes = new Map(
  ["key", "agent", "task", "execution", "replay", "schedule", "endpoint"].map((kind) => [kind, `${kind}s`])
).set("delivery", "deliveries")

const Subject = ({ of: { action, subject } }: { readonly of: AuditEntry }) => {
  const name = subject.name === null ? <Id of={subject.id} /> : <UntrustedText text={subject.name} isBrief />
  const home = action.endsWith(".removed") ? undefined : homes.get(subject.kind)
  return home === undefined ? name : <a href={pathOf`/${home}/${subject.id}`}>{name}</a>
}

const Fields = ({ of: entry }: { readonly of: AuditEntry }) => (
  <dl class="changes">
    {fieldsOf(entry).map(({ after, before, name }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {entry.before === null ? null : (
            <del class="bad">
              <span class="hide">before: </span>
              <UntrustedText text={before} />
            </del>
          )}
          {entry.after === null ? null : (
            <ins class="good">
              <span class="hide">after: </span>
              <UntrustedText text={after} />
            </ins>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { head: "Time", class: "p1", cell: ({ at }) => <Moment at={at} /> },
  {
    head: "Who",
    class: "p1",
    cell: ({ actor }) => <UntrustedText text={actor.name} isBrief />,
    sub: ({ actor }) => kindWords[actor.kind]
  },
  { head: "Change", isRowHead: true, cell: (entry) => <What of={entry} /> },
  { head: "From", class: "p3", cell: (entry) => <code>{entry.from_address}</code> }
]
