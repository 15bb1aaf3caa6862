/** Creates a task. Its first version is published on its page. */
import { useLocation } from "preact-iso/router"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Field } from "../../parts/Field.tsx"
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
        Params and results of a task are defined by its versions, which you publish next.
      </Head>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          make.run()
        }}
      >
        <Field label="Name" wrong={make.wrong("name")}>
          {(input) => (
            <input {...input} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
        <Field
          label="Slug"
          hint="Its name in addresses and logs. It never changes."
          wrong={
            make.wrong("slug") ??
            (make.problem?.kind === "conflict" ? "Another task has this slug." : undefined)
          }
        >
          {(input) => (
            <input
              {...input}
              required
              spellcheck={false}
              value={chosen}
              onInput={(event) => setSlug(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label={
            <>
              Description <span class="quiet">(optional)</span>
            </>
          }
          wrong={make.wrong("description")}
        >
          {(input) => (
            <textarea
              {...input}
              rows={3}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          )}
        </Field>
        <Outcome problem={make.problem} />
        <p class="acts">
          <Button kind="first" isSubmit isChange isRunning={make.isRunning}>
            Make task
          </Button>
        </p>
      </form>
    </>
  )
}
