/** Asks once before the user leaves a view whose content cannot be shown again. */
import { useLocation } from "../../shell/Shell.ts"
import { useEffect, useState } from "preact/hooks"
import { Ask } from "../../parts/Parts.ts"

export interface LeaveGuardProps {
  readonly title: string
  readonly isGuarded: boolean
  readonly children: string
}

export const LeaveGuard = ({ children, isGuarded, title }: LeaveGuardProps) => {
  const { route } = useLocation()
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    if (!isGuarded) return undefined
    const beforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
    /** Links within the page do not trigger the browser's own question. */
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null
      if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return
      if (link.target !== "" || event.metaKey || event.ctrlKey || link.hash !== "") return
      event.preventDefault()
      event.stopPropagation()
      setTarget(link.href)
    }
    addEventListener("beforeunload", beforeLeaving)
    document.addEventListener("click", onClick, { capture: true })
    return () => {
      removeEventListener("beforeunload", beforeLeaving)
      document.removeEventListener("click", onClick, { capture: true })
    }
  }, [isGuarded])
  return target === undefined ? null : (
    <Ask
      title={title}
      word="Leave"
      cancel="Stay"
      act={async () => {
        const { pathname, search } = new URL(target)
        route(pathname + search)
      }}
      onClose={() => setTarget(undefined)}
      onDone={() => setTarget(undefined)}
    >
      <p>{children}</p>
    </Ask>
  )
}
