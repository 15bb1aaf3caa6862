/** Where development mode shows things. */

/** The page that the demo task fetches unless a caller names another. */
export const pagePath = "/demo/page"

/** Callbacks are posted there, and shown there. */
export const inboxPath = "/demo/inbox"

/** The welcome page queues the demo task there, and follows it below. */
export const runPath = "/demo/run"

/** Leads to the Integrations page by a new link: whoever sits at this machine needs no other. */
export const consoleLinkPath = "/demo/integrations"
