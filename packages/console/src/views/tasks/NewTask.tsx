/** Creates a task. Its first version is published on its page. */
import { Head, pathOf, pathTo, useLocation } from "../../shell/Shell.ts"
import { useState } from "preact/hooks"
import { useForm } from "../../data/Data.ts"
import { Button, Form, Outcome, TextField } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"

/** A slug derived from the name. */
const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64)

export const NewTask = () => {
  const { route } = useLocation()
  const [ownSlug, setSlug] = useState<string>()
  const make = useForm(
    { name: "", description: "" },
    (typed) => account.value.tasks.create({ ...typed, slug: ownSlug ?? slugOf(typed.name) }),
    ({ id }) => route(pathOf`/tasks/${id}`)
  )
  const isTaken = make.problem?.kind === "conflict"
  return (
    <>
      <Head title="New task" crumb={<a href={pathTo("/tasks")}>Tasks</a>}>
        Its versions define params and result. You publish the first one next.
      </Head>
      <Form isChange onSubmit={make.run}>
        <TextField {...make.field("name")} label="Name" required />
        <TextField
          label="Slug"
          hint="It cannot be changed later."
          wrong={make.wrong("slug") ?? (isTaken ? "Another task has this slug." : undefined)}
          required
          value={ownSlug ?? slugOf(make.values.name)}
          onText={setSlug}
        />
        <TextField {...make.field("description")} label="Description" isOptional rows={3} />
        <Outcome problem={make.problem} />
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={make.isRunning}>
            Create task
          </Button>
        </p>
      </Form>
    </>
  )
}
