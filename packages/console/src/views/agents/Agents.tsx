/** Agents. */
import { Head } from "../../shell/Head.tsx"

export const Agents = () => <Head title="Agents" />
