/** How somebody likes a list: its columns, and saved views of it, which are its filters under a name. */
import type { ComponentChild } from "preact"
import { useMemo, useState } from "preact/hooks"
import { remember, remembered } from "../data/Preferences.ts"
import { isText, keepViews, listIn, savedViews } from "../data/SavedViews.ts"
import { Button } from "./Button.tsx"
import { TextField } from "./Field.tsx"
import { Icon } from "./Icon.tsx"
import { Pick } from "./Pick.tsx"
import type { Column } from "./Table.tsx"
import { UntrustedText } from "./UntrustedText.tsx"
import { Followed, useFollowed } from "../data/Followed.ts"

/** Ids are found by the search; who wants to see them has them shown. */
const hiddenAtFirst = JSON.stringify(["deliveries Id", "executions Id"])

const hidden = new Followed(listIn(remembered("columns") ?? hiddenAtFirst).filter(isText))

/** The columns that are wanted, and the menu that chooses them. The row's name always stays. */
export const useView = <Item,>(
  list: string,
  all: ReadonlyArray<Column<Item>>
): { readonly columns: ReadonlyArray<Column<Item>>; readonly menu: ComponentChild } => {
  const heads = useFollowed(hidden)
  const isHidden = (head: string) => heads.includes(`${list} ${head}`)
  const [isOpen, setOpen] = useState(false)
  const columns = useMemo(() => all.filter(({ head }) => !isHidden(head)), [all, heads])
  const toggle = (head: string) => {
    const name = `${list} ${head}`
    hidden.value = isHidden(head) ? hidden.value.filter((each) => each !== name) : [...hidden.value, name]
    remember("columns", JSON.stringify(hidden.value))
  }
  const menu = (
    <details class="view" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="btn">View</summary>
      {!isOpen ? null : (
        <div class="card stack">
          <fieldset>
            <legend>Columns</legend>
            {all
              .filter(({ isRowHead }) => isRowHead !== true)
              .map(({ head }) => (
                <Pick key={head} isPicked={!isHidden(head)} onPick={() => toggle(head)}>
                  {head}
                </Pick>
              ))}
          </fieldset>
          <SavedViews />
        </div>
      )}
    </details>
  )
  return { columns, menu }
}

const SavedViews = () => {
  const [name, setName] = useState("")
  const views = useFollowed(savedViews)
  const here = `${location.pathname}${location.search}`
  return (
    <fieldset>
      <legend>Saved views</legend>
      {views
        .filter(({ href }) => new URL(href, location.origin).pathname === location.pathname)
        .map((view) => (
          <span class="acts" key={view.name}>
            <a href={view.href}>
              <UntrustedText text={view.name} isBrief max={40} />
            </a>
            <Button
              kind="bare"
              label={`Remove ${view.name}`}
              onPress={() => keepViews(views.filter((each) => each !== view))}
            >
              <Icon name="cross" />
            </Button>
          </span>
        ))}
      <span class="acts">
        <TextField label="Name for these filters" maxLength={40} value={name} onText={setName} />
        <Button
          why={name.trim() === "" ? "It needs a name." : undefined}
          onPress={() => {
            keepViews([
              ...views.filter((each) => each.name !== name.trim()),
              { name: name.trim(), href: here }
            ])
            setName("")
          }}
        >
          Save
        </Button>
      </span>
    </fieldset>
  )
}
