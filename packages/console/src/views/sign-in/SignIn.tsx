/** Signs in by a link, or at the operator's provider. */
import { UnauthorizedError } from "@runhook/sdk/admin"
import { pathTo, useLocation } from "../../shell/Shell.ts"
import { useEffect, useState } from "preact/hooks"
import { useAction, useLoad } from "../../data/Data.ts"
import { Button, Code, Mark, Note, Outcome, ProblemNote } from "../../parts/Parts.ts"
import { admin, signIn } from "../../session/Session.ts"
import { takeToken } from "./LinkToken.ts"
import { providerProblems } from "./ProviderProblems.ts"

const MakeLink = () => <Code text="npx runhook console-link" of="command that makes a link" />

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
              <p>
                It has expired, was withdrawn, or was used before. Ask the person who sent it for a new one:
                under Access on this page, or on the machine of Runhook:
              </p>
            </Note>
            <MakeLink />
          </>
        ) : token === undefined ? (
          <>
            {problem === undefined ? null : (
              <Note tone="warn" title={problem.title} isUrgent>
                <p>{problem.text}</p>
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
        {ways.error === undefined ? null : <ProblemNote error={ways.error} onRetry={ways.reload} />}
      </div>
    </main>
  )
}
