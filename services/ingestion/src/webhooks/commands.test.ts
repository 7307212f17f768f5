import { commandIn, saysNo } from './commands.ts'

test.each([
  ['help', ['help', ' HELP! ', 'Ayuda', 'ajuda', 'Aide', 'Hilfe?', 'aiuto', 'Bantuan', 'मदद', 'مُساعَدة']],
  ['minutes', ['minutes', 'Minutos', 'Minuten.', 'minuti', 'MENIT', 'मिनट', 'دقائق']],
  ['hint', ['hello', 'hola', '?', 'help me please', 'no', '1', 'नमस्ते', '你好', 'VX', '‮pleh']],
  [null, ['Thanks!', 'thank  you', 'OBRIGADA', 'Danke schön', 'धन्यवाद', 'شُكرًا', '👍🏽', '❤️🙏', ' ', '...']],
])('when it is one of these texts, then the command is %s', (command, texts) => {
  for (const text of texts) expect([text, commandIn(text)]).toEqual([text, command])
})

test.each([
  [
    true,
    ['NO', 'no.', ' No! ', 'não', 'NÃO', 'nao', 'Non', 'nein!!', 'Tidak', '¡No!', 'नहीं', 'नहीं।', 'لا', 'لا!'],
  ],
  [false, ['', null, 'no thanks', 'Nora', 'yes', '!', 'know']],
])('when saysNo is %s, then for these texts', (expected, texts) => {
  for (const text of texts) expect([text, saysNo(text)]).toEqual([text, expected])
})
