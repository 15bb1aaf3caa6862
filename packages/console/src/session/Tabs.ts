/** Tells the browser's other tabs, which share its cookie, about a sign-in or sign-out. */

const channel = new BroadcastChannel("runhook.console.session")

export const tellTabs = (): void => channel.postMessage("changed")

export const listenToTabs = (listener: () => void): void => channel.addEventListener("message", listener)
