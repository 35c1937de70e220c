// The list of cases through the command line, on a folder that no server holds.
import { CONTRACT_CASES } from './cases.ts'
import { openCliDoor } from './cli-door.ts'
import { contractSuite } from './suite.ts'

const CASES = CONTRACT_CASES.filter(({ lasts }) => !lasts)

contractSuite('the command line without a server', openCliDoor, CASES)
