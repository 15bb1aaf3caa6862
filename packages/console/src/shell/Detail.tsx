/** The frame of a page about one thing: its head, the way to its neighbours, and the list beside it where there is room. */
import type { ComponentChildren } from "preact"
import { useLocation } from "./Location.ts"
import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import { listWith, type Neighbours } from "../data/useList.ts"
import type { Resource } from "../data/useLoad.ts"
import { plainWords } from "../format/Hidden.ts"
import { sentenceCase } from "../format/Amounts.ts"
import { Button } from "../parts/Button.tsx"
import { Status } from "../parts/Status.tsx"
import { UntrustedText } from "../parts/UntrustedText.tsx"
import { Loaded } from "../parts/Skeleton.tsx"
import { Head, type HeadProps } from "./Head.tsx"
import { currentLink } from "./Navigation.ts"
import { pathTo } from "./Paths.ts"
import { useShortcut } from "./Shortcuts.ts"
import { visit } from "./Visits.ts"

export interface DetailProps<A> {
  readonly id: string
  readonly of: Pick<Resource<A>, "data" | "error" | "reload">
  /** What it is: `delivery` */
  readonly what: string
  readonly head: (data: A) => Omit<HeadProps, "crumb"> & { readonly crumb?: ComponentChildren }
  readonly children: (data: A) => ComponentChildren
}

/** The head of a thing that has a name from outside, with its status. */
export const headOf = (name: string, status?: string) => ({
  title: plainWords(name, 80),
  heading: (
    <>
      <UntrustedText text={name} isBrief max={80} /> {status === undefined ? null : <Status of={status} />}
    </>
  )
})

/** From here on a list has room beside a page. */
const wide = matchMedia("(min-width: 90rem)")

const useIsWide = (): boolean => {
  const [isWide, setWide] = useState(wide.matches)
  useEffect(() => {
    const note = () => setWide(wide.matches)
    wide.addEventListener("change", note)
    return () => wide.removeEventListener("change", note)
  }, [])
  return isWide
}

/** The list of all of them is the link of the sidebar above its address. */
export const Detail = <A,>({ children, head, id, of, what }: DetailProps<A>) => {
  const { data } = of
  const { path } = useLocation()
  const { path: home = "/", title: many = "" } = currentLink(path) ?? {}
  const all = pathTo(home)
  const list = listWith(id)
  const beside = useIsWide() ? list : undefined
  const shown = data === undefined ? undefined : head(data)
  const title = shown?.title
  // At once: whoever goes back before this is painted is led to its row.
  useLayoutEffect(() => {
    if (list !== undefined) list.currentId = id
  }, [list, id])
  useEffect(() => {
    if (title !== undefined) visit({ href: location.pathname, title, what })
  }, [id, title])
  return (
    <div class={beside && "split"}>
      {beside && <aside aria-label={many}>{beside.beside?.(id)}</aside>}
      <div>
        <Head
          title={sentenceCase(what)}
          {...shown}
          crumb={
            <>
              <a href={all}>{many}</a>
              {shown?.crumb === undefined ? null : <> / {shown.crumb}</>}
            </>
          }
          acts={
            list === undefined ? (
              shown?.acts
            ) : (
              <>
                {shown?.acts}
                <Step id={id} of={list} by={-1} what={what} />
                <Step id={id} of={list} by={1} what={what} />
              </>
            )
          }
        />
        <Loaded
          of={of}
          what={what}
          lines={8}
          all={{
            href: all,
            words: `All ${many.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`
          }}
        >
          {children}
        </Loaded>
      </div>
    </div>
  )
}

interface StepProps extends Pick<DetailProps<unknown>, "id" | "what"> {
  readonly of: Neighbours
  readonly by: 1 | -1
}

/** The way to the next row of the list, or the one before; its key is for nothing else where there is none yet. Back then leads to the list. */
const Step = ({ by, id, of: list, what }: StepProps) => {
  const { path, route } = useLocation()
  const ids = list.ids()
  const to = ids[ids.indexOf(id) + by]
  const isLast = to === undefined
  useEffect(() => {
    if (isLast && by === 1) void list.more()
  }, [isLast])
  const go = () => to && route(path.replace(encodeURIComponent(id), encodeURIComponent(to)), true)
  const label = by === 1 ? `Next ${what}` : `Previous ${what}`
  useShortcut(by === 1 ? "j" : "k", label, go)
  return (
    <Button kind="bare" label={label} why={to === undefined ? "There is none." : undefined} onPress={go}>
      {by === 1 ? "↓" : "↑"}
    </Button>
  )
}
