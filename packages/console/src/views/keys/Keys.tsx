/** API keys. */
import { Head } from "../../shell/Head.tsx"

export const Keys = () => <Head title="API keys" />
