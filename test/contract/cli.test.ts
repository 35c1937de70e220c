// Runs the cases through the command line, on a data directory without a server.
import { CONTRACT_CASES } from './cases.ts'
import { openCliAdapter } from './cli-adapter.ts'
import { contractSuite } from './suite.ts'

const CASES = CONTRACT_CASES.filter(({ needsProcessState }) => !needsProcessState)

contractSuite('the command line without a server', openCliAdapter, CASES)
