/** New API key. */
import { Head } from "../../shell/Head.tsx"

export const NewKey = () => <Head title="New API key" />
