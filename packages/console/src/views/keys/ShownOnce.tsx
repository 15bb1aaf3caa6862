/** Shows new secrets once. Only this component holds them. */
import type { ComponentChild, ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { download } from "../../data/Download.ts"
import { Ask, Button, Copy, Form, Note, Pick } from "../../parts/Parts.ts"
import { envNameOf, envOf, type Secrets } from "./KeyHandout.ts"
import "./keys.css"
import { useLocation } from "../../shell/Shell.ts"
import { serviceUrl } from "../../shell/Location.ts"

/** New secrets of a view, in a card until they are saved. */
export const useNewSecrets = () => {
  const [made, setMade] = useState<Pick<ShownOnceProps, "name" | "secrets">>()
  const card: ComponentChild = made && (
    <section class="card" aria-label="New secret">
      <ShownOnce key={JSON.stringify(made)} {...made} onDone={() => setMade(undefined)} />
    </section>
  )
  return { card, show: (secrets: Secrets, name: string) => setMade({ name, secrets }) }
}

interface ShownOnceProps {
  readonly secrets: Secrets
  /** The name of the key, for the name of the file. */
  readonly name: string
  readonly onDone: () => void
  /** Shown below the secrets. */
  readonly children?: ComponentChildren
}

const kinds = [
  ["key", "API key", "Sent as Authorization: Bearer."],
  ["runnerKey", "Runner key", "Runners connect with it."],
  ["signingSecret", "Signing secret", "Your receiver verifies what Runhook sends with it."]
] as const

export const ShownOnce = ({ children, name, onDone, secrets }: ShownOnceProps) => {
  const isPair = secrets.key !== undefined && secrets.signingSecret !== undefined
  const [isKept, setKept] = useState(false)
  const [isGone, setGone] = useState(false)
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => shown.current?.focus(), [])
  useEffect(() => {
    // The browser's back/forward cache must not keep them.
    const forget = () => setGone(true)
    addEventListener("pagehide", forget)
    return () => removeEventListener("pagehide", forget)
  }, [])
  if (isGone) {
    return (
      <Note tone="warn" title="The secrets are no longer shown">
        You left this page. You need new ones.
      </Note>
    )
  }
  return (
    <div class="stack" ref={shown} tabIndex={-1}>
      <Note tone="warn">
        <strong>Shown only once.</strong> Nobody can read {isPair ? "them" : "it"} again, not even the
        operator. If you lose {isPair ? "them" : "it"}, you need a new one.
      </Note>
      {kinds.map(([kind, label, hint]) => {
        const text = secrets[kind]
        return text === undefined ? null : (
          <div class="field" key={kind}>
            <h2>{label}</h2>
            <div class="secret">
              <code>{text}</code>
              <Copy text={text} of={label} word="Copy" />
            </div>
            <span class="hint">{hint}</span>
          </div>
        )
      })}
      <p class="acts">
        <Button
          onPress={() =>
            download(envOf(secrets, serviceUrl()), { name: envNameOf(name), type: "text/plain" })
          }
        >
          Download .env
        </Button>
      </p>
      {children}
      <Form class="stack" onSubmit={onDone}>
        <Pick isRequired isPicked={isKept} onPick={setKept}>
          {isPair ? "I have saved both" : "I have saved it"}
        </Pick>
        <p class="acts">
          <Button kind="first" isSubmit>
            Done
          </Button>
        </p>
      </Form>
      <LeaveGuard isGuarded={!isKept} />
    </div>
  )
}

/** Asks once before the user leaves the secrets behind. */
const LeaveGuard = ({ isGuarded }: { readonly isGuarded: boolean }) => {
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
      title="Leave without the secrets?"
      word="Leave"
      cancel="Stay"
      act={async () => {
        const { pathname, search } = new URL(target)
        route(pathname + search)
      }}
      onClose={() => setTarget(undefined)}
      onDone={() => setTarget(undefined)}
    >
      They cannot be shown again.
    </Ask>
  )
}
