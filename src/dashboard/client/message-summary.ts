// Replaces src/view-model/rows/message-summary.ts. The dashboard has no list of messages.
import type * as summaries from '../../view-model/rows/message-summary.ts'

export { formatAttemptResult } from '../../view-model/rows/attempt-result.ts'
export const summarizeMessage: typeof summaries.summarizeMessage = () => ''
