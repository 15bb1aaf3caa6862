/** The versions of a task: the current one, their tags, their schemas, and how two differ. */
import type { TaskDetail, TaskVersion } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { type Action, useAction, useForm, useLoad } from "../../data/Data.ts"
import { Button, Card, ChoiceField, Code, type Column, Dialog, Loaded, Moment } from "../../parts/Parts.ts"
import { type Opened, Opener, Outcome, Table, TextField } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Publish } from "./PublishDialog.tsx"
import { SchemaChanges } from "./SchemaChanges.tsx"
import { type VersionsOfTask, versionWords } from "./useVersions.ts"

const columnsOf = (
  task: TaskDetail,
  makeCurrent: Action<[string], unknown>
): ReadonlyArray<Column<TaskVersion>> => [
  { head: "No.", class: "num", isRowHead: true, cell: ({ number }) => number },
  { head: "Published", cell: ({ published_at }) => <Moment at={published_at} /> },
  {
    head: "Tags and actions",
    isHeadHidden: true,
    cell: ({ id, number, tags }) => (
      <>
        {id === task.current_version?.id ? (
          <span class="tag">current</span>
        ) : (
          <Button kind="bare" isChange isRunning={makeCurrent.isRunning} onPress={() => makeCurrent.run(id)}>
            Make <span class="hide">version {number}</span> current
          </Button>
        )}
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
      </>
    )
  }
]

interface VersionsProps {
  readonly task: TaskDetail
  readonly of: VersionsOfTask
  readonly onChanged: () => void
}

export const Versions = ({ of, onChanged, task }: VersionsProps) => {
  const versions = of.data
  const makeCurrent = useAction(
    (version_id: string) => account.value.tasks.setCurrent(task.id, { version_id }),
    onChanged
  )
  return (
    <>
      <Card title="Versions" class="card turns">
        <Loaded of={of} what="list of versions">
          {(items) => (
            <Table
              label="Versions, newest first"
              items={items}
              idOf={({ id }) => id}
              columns={columnsOf(task, makeCurrent)}
              none={<p class="quiet">None yet.</p>}
            />
          )}
        </Loaded>
        <Outcome problem={makeCurrent.problem} />
        <p class="acts">
          <Publish task={task} onPublished={onChanged} />
          {versions?.[0] === undefined ? null : (
            <Opener word="Move tag…" onDone={onChanged}>
              {(dialog) => <MoveTag task={task} versions={versions} {...dialog} />}
            </Opener>
          )}
        </p>
      </Card>
      {versions?.[0] === undefined ? null : <Schemas task={task} versions={versions} />}
    </>
  )
}

interface SchemasProps {
  readonly task: TaskDetail
  readonly versions: ReadonlyArray<TaskVersion>
}

const MoveTag = ({ onClose, onDone, task, versions }: SchemasProps & Opened) => {
  const newest = versions[0]?.id ?? ""
  const move = useForm(
    { name: "", version: newest },
    ({ name, version }) => account.value.tasks.moveTag({ task_id: task.id, name }, { version_id: version }),
    onDone
  )
  const { name } = move.values
  const before = versions.find(({ id }) => id === task.tags[name])
  return (
    <Dialog title="Move a tag" onClose={onClose} confirm={{ word: "Move tag", action: move }}>
      <p>Executions that name a tag run the version that it points to.</p>
      <TextField
        {...move.field("name")}
        label="Tag"
        hint={
          before === undefined ? "A new name makes a new tag." : `It points to version ${before.number} now.`
        }
        required
        known={Object.keys(task.tags)}
        maxLength={64}
        pattern="[A-Za-z0-9._\-]{1,64}"
        title="1 to 64 letters, digits, dots, underscores or dashes"
      />
      <ChoiceField
        {...move.field("version", "version_id")}
        label="To version"
        options={versions.map((version) => [version.id, versionWords(version)])}
      />
    </Dialog>
  )
}

/** The schemas of one version, and their difference from another. Loaded when opened. */
const Schemas = ({ task, versions }: SchemasProps) => {
  const [isOpen, setOpen] = useState(false)
  const newest = versions[0]?.id ?? ""
  const [chosen, setChosen] = useState<string>()
  const [other, setOther] = useState("")
  const id = chosen ?? task.current_version?.id ?? newest
  const shown = useLoad(`schemas ${isOpen} ${id} ${other}`, async (signal) => {
    const versionOf = (version_id: string) =>
      account.value.tasks.version({ task_id: task.id, version_id }, { signal })
    if (!isOpen) return undefined
    const [version, before] = await Promise.all([versionOf(id), other === "" ? undefined : versionOf(other)])
    return { version, before }
  })
  const { before, version } = shown.data ?? {}
  return (
    <details class="card fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Schemas</summary>
      <div class="two">
        <ChoiceField
          label="Version"
          value={id}
          onText={setChosen}
          options={versions.map((each) => [each.id, versionWords(each)])}
        />
        <ChoiceField
          label="Compared with"
          value={other}
          onText={setOther}
          options={[
            ["", "None"],
            ...versions
              .filter((each) => each.id !== id)
              .map((each): readonly [string, string] => [each.id, versionWords(each)])
          ]}
        />
      </div>
      {version === undefined ? null : before !== undefined ? (
        <SchemaChanges before={before} after={version} />
      ) : (
        <>
          <p>Params</p>
          <Code text={JSON.stringify(version.params_schema, null, 2)} of="params schema" />
          <p>Result</p>
          {version.result_schema === null ? (
            <p class="quiet">No result schema.</p>
          ) : (
            <Code text={JSON.stringify(version.result_schema, null, 2)} of="result schema" />
          )}
        </>
      )}
    </details>
  )
}
