/** Dead letters. */
import { Head } from "../../shell/Head.tsx"

export const DeadLetters = () => <Head title="Dead letters" />
