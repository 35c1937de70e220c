// Options for the Java programs of the tests. They run for seconds, so only the quick compiler of Java is worth its time.
const QUICK = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Without the last option, each response of a Java server takes 40 ms. */
export const QUICK_JAVA = [...QUICK, '-Dsun.net.httpserver.nodelay=true']
export const QUICK_JAVAC = QUICK.map((option) => `-J${option}`)
