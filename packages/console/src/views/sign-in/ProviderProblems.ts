/** Errors of a sign-in at the provider, by the value of `?problem=`. */

export interface ProviderProblem {
  readonly title: string
  readonly text: string
}

export const providerProblems: { readonly [problem: string]: ProviderProblem | undefined } = {
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
