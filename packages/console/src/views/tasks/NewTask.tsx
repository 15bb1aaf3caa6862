/** Creates a task. Its first version is published on its page. */
import { useLocation } from "../../shell/Location.ts"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { TextField } from "../../parts/Field.tsx"
import { Form } from "../../parts/Form.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"

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
  const [name, setName] = useState("")
  const [slug, setSlug] = useState<string>()
  const [description, setDescription] = useState("")
  const chosen = slug ?? slugOf(name)
  const make = useAction(
    () => account.value.tasks.create({ name, slug: chosen, description }),
    ({ id }) => route(pathOf`/tasks/${id}`)
  )
  return (
    <>
      <Head title="New task" crumb={<a href={pathTo("/tasks")}>Tasks</a>}>
        Its versions define params and result. You publish the first one next.
      </Head>
      <Form isChange onSubmit={make.run}>
        <TextField label="Name" wrong={make.wrong("name")} required value={name} onText={setName} />
        <TextField
          label="Slug"
          hint="It cannot be changed later."
          wrong={
            make.wrong("slug") ??
            (make.problem?.kind === "conflict" ? "Another task has this slug." : undefined)
          }
          required
          value={chosen}
          onText={setSlug}
        />
        <TextField
          label="Description"
          isOptional
          rows={3}
          wrong={make.wrong("description")}
          value={description}
          onText={setDescription}
        />
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
