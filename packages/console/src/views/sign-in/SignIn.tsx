/** Signs in by a link, or at the operator's provider. */
import { UnauthorizedError } from "@runhook/sdk/admin"
import { pathTo, useLocation } from "../../shell/Shell.ts"
import { useEffect, useState } from "preact/hooks"
import { useAction, useLoad } from "../../data/Data.ts"
import { Button, Code, Mark, Note, Outcome, ProblemNote } from "../../parts/Parts.ts"
import { admin, signIn } from "../../session/Session.ts"

/** The token of a one-time link. It is removed from address bar and history as soon as it is read. */
const shape = /^#[A-Za-z0-9_-]{43}$/

/** Takes the token out of the address; undefined if there is none. */
const takeToken = (): string | undefined => {
  const { hash, pathname, search } = location
  if (!shape.test(hash)) return undefined
  history.replaceState(history.state, "", pathname + search)
  return hash.slice(1)
}

interface ProviderProblem {
  readonly title: string
  readonly text: string
}

/** Errors of a sign-in at the provider, by the value of `?problem=`. */
const providerProblems: { readonly [problem: string]: ProviderProblem | undefined } = {
  refused: {
    title: "The sign-in was not finished",
    text: "You or the provider declined. You can try again."
  },
  away: {
    title: "The sign-in provider does not answer",
    text: "Runhook could not reach it. Try again in a while, or sign in by a link."
  },
  stale: {
    title: "This sign-in has expired",
    text: "It took longer than ten minutes, or began in another browser. Try again, and allow cookies for this page."
  },
  busy: { title: "Too many sign-ins right now", text: "Try again in a while." },
  invalid: {
    title: "The sign-in could not be verified",
    text: "The provider's answer is not valid. Try again; the reason is in the operator's log."
  },
  no_account: {
    title: "You have no account yet",
    text: "Your company account is known, but has no access to an account here. Ask the operator of Runhook."
  }
}

const MakeLink = () => <Code text="runhook console-link" of="command that makes a link" />

export const SignIn = () => {
  const { path, query, route, url } = useLocation()
  const [token, setToken] = useState(takeToken)
  const [isUsed, setUsed] = useState(false)
  const ways = useLoad("ways to sign in", (signal) => admin.session.ways({ signal }))
  const problem = providerProblems[query["problem"] ?? ""]

  useEffect(() => {
    document.title = "Sign in - Runhook"
    // Opening another link in the same tab does not reload the page.
    const take = () => {
      const next = takeToken()
      if (next === undefined) return
      setUsed(false)
      setToken(next)
    }
    addEventListener("hashchange", take)
    return () => removeEventListener("hashchange", take)
  }, [])

  const signing = useAction(async (presented: string) => {
    try {
      await signIn(presented)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      setToken(undefined)
      setUsed(true)
      return
    }
    if (path === pathTo("/sign-in")) route(pathTo("/"), true)
  })

  return (
    <main class="alone">
      <div class="card">
        <p class="mark">
          <Mark />
          runhook
        </p>
        <h1>Sign in</h1>
        {isUsed ? (
          <>
            <Note tone="warn" title="This link no longer works" isUrgent>
              It has expired, was withdrawn, or was used before. Ask the person who sent it for a new one:
              under Access on this page, or on the machine of Runhook:
            </Note>
            <MakeLink />
          </>
        ) : token === undefined ? (
          <>
            {problem === undefined ? null : (
              <Note tone="warn" title={problem.title} isUrgent>
                {problem.text}
              </Note>
            )}
            {ways.data?.oidc === true ? (
              <p>
                <a
                  class="btn first"
                  // A path of the service, not a view of this page.
                  target="_top"
                  href={pathTo("/oidc/start", { to: path === pathTo("/sign-in") ? null : url })}
                >
                  Sign in with your company account
                </a>
              </p>
            ) : null}
            <p>
              {ways.data?.oidc === true ? "Or use a link, which" : "A link"} signs in one browser, once. Ask
              an admin of your account for one: they find it on this page, under Access.
            </p>
            <p>If you run Runhook yourself, create one on its machine:</p>
            <MakeLink />
          </>
        ) : (
          <>
            <p>Your link signs in this browser, once. It is not used until you press the button.</p>
            <p>
              <Button kind="first" isRunning={signing.isRunning} onPress={() => signing.run(token)}>
                Sign in
              </Button>
            </p>
            <Outcome problem={signing.problem} />
          </>
        )}
        <ProblemNote error={ways.error} onRetry={ways.reload} />
      </div>
    </main>
  )
}
