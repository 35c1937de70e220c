// Russian translations of the most frequent messages of receiver-failures.ts.

/** Sentences. `$1` and `$2` are hosts, limits and codes, which stay as they are. */
const SENTENCES: readonly (readonly [english: RegExp, russian: string])[] = [
  [/^Connection refused: nothing listens on (.+?)\.(?= Is your|$)/, 'Нет соединения: на $1 нет сервера.'],
  [/^(\S+) closed the connection before it responded\./, '$1 закрыл соединение до ответа.'],
  [/^(\S+) closed the connection in the middle of its response\./, '$1 закрыл соединение посреди ответа.'],
  [/^No connection to (\S+) within (\S+)\./, 'Нет соединения с $1 за $2.'],
  [/^No connection to (\S+): it did not respond\./, 'Нет соединения с $1: нет ответа.'],
  [/^No response from (\S+) within (\S+)\./, 'Нет ответа от $1 за $2.'],
  [/^The response from (\S+) did not end within (\S+)\./, 'Ответ от $1 не закончился за $2.'],
  [/^DNS does not know (\S+)\.(?= Check|$)/, 'DNS не знает имя $1.'],
  [/^(\S+) could not be resolved: DNS did not respond\./, 'Адрес $1 не найден: DNS не ответил.'],
  [/^There is no (?:network )?route to (\S+)\.$/, 'Нет маршрута до $1.'],
  [/^The TLS certificate of the receiver is not valid for the name (\S+)\.$/, 'Сертификат TLS выдан не для имени $1.'],
  [/^The TLS certificate of (\S+) has expired\./, 'Сертификат TLS у $1 истёк.'],
  [/^The TLS certificate of (\S+) was not accepted \((\S+)\)\./, 'Сертификат TLS у $1 не принят ($2).'],
  [/^TLS with (\S+) failed \((\S+)\)\./, 'Соединение TLS с $1 не удалось ($2).'],
  [/^(\S+) supports only HTTP\/2, and psp sends HTTP\/1\.1\./, '$1 понимает только HTTP/2, а psp отправляет HTTP/1.1.'],
  [/^The response from (\S+) is not HTTP\./, 'Ответ от $1 не в формате HTTP.'],
  [/^The request to (\S+) failed: /, 'Запрос к $1 не удался: '],
  [/^no response$/, 'нет ответа'],
  [/^no attempt was made$/, 'попытки не было'],
  [/ Is your server running\?$/, ' Ваш сервер запущен?'],
  [/ Check the address, the port and the firewall\.$/, ' Проверьте адрес, порт и файрвол.'],
  [/ Check the host in the URL\.$/, ' Проверьте хост в URL.'],
  [/ Respond first, then do the slow work\.$/, ' Сначала ответьте, потом выполняйте долгую работу.'],
  [/ See its log\./, ' Посмотрите его журнал.'],
]

/** Translates the known sentences of a message. Other sentences stay English. */
export function failureInRussian(message: string): string {
  return SENTENCES.reduce((done, [english, russian]) => done.replace(english, russian), message)
}
