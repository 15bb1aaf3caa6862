/** A call of the client for each endpoint. It is answered with success, or says itself which refusal is right. */
import type { Office } from "./Office.ts"

export type Ways = Readonly<Record<string, (office: Office) => Promise<unknown>>>
