/**
 * Phrases that WhatsApp itself writes into an export, in all languages, since nothing in the text names its language.
 * They come from the app's string tables, as public parsers have collected them, and from exports of several years.
 */

const lines = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
/** Ignores Unicode normal form, case, a trailing full stop and repeated spaces. */
const plain = (text: string) =>
  text
    .normalize('NFC')
    .trim()
    .replace(/[.。]$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
function oneOf(text: string) {
  const known = new Set(lines(text).map(plain))
  return (written: string) => known.has(plain(written))
}

/** In parentheses after a file's name, on Android. */
export const isAttached = oneOf(`
  file attached
  archivo adjunto
  arquivo anexado
  ficheiro anexado
  fichier joint
  Datei angehängt
  file allegato
  file terlampir
  फाइल अटैच कर दी गई है
  फ़ाइल अटैच की गई है
  الملف مرفق
  ملف مرفق
  bestand bijgevoegd
  bifogad fil
  tiedosto liitetty
`)

/** In angle brackets, on Android, in place of omitted media. */
export const isMediaOmitted = oneOf(`
  Media omitted
  View once voice message omitted
  Multimedia omitido
  Archivo omitido
  Se omitió el archivo
  Mídia oculta
  Mídia omitida
  Arquivo de mídia oculto
  Ficheiro não revelado
  Médias omis
  Fichier omis
  Médias omises
  Medien ausgeschlossen
  Medien weggelassen
  Media omessi
  Media omesso
  Media omessa
  Media tidak disertakan
  Media tidak termasuk
  मीडिया के बिना
  मीडिया छोड़ा गया
  تم استبعاد الوسائط
  الوسائط مستبعدة
  Media weggelaten
  Media utelämnades
  Media jätettiin pois
`)

/** After the direction mark, on an iPhone: the kind of the omitted media, and that it was omitted. */
const OMITTED = new RegExp(
  `^(?:${[
    '.{1,40} (?:omitted|omitid[oa]s?|ocultad[oa]s?|absente?s?|omise?s?|weggelassen|omess[oaie]|tidak disertakan|weggelaten)',
    '.{1,40} (?:हटाई ग[ईय]ी?|हटाया गया|छोड़ी गई|छोड़ा गया)',
    'لم يتم إدراج .{1,40}',
  ].join('|')})\\.?$`,
  'iu',
)
export const isKindOmitted = (written: string): boolean => OMITTED.test(written.normalize('NFC').trim())

export const isDeleted = oneOf(`
  This message was deleted
  You deleted this message
  This message was deleted by admin
  Se eliminó este mensaje
  Este mensaje fue eliminado
  Eliminaste este mensaje
  Mensagem apagada
  Esta mensagem foi apagada
  Você apagou esta mensagem
  Apagou esta mensagem
  Ce message a été supprimé
  Vous avez supprimé ce message
  Diese Nachricht wurde gelöscht
  Du hast diese Nachricht gelöscht
  Questo messaggio è stato eliminato
  Hai eliminato questo messaggio
  Pesan ini dihapus
  Pesan ini telah dihapus
  Anda menghapus pesan ini
  यह मैसेज डिलीट कर दिया गया है
  यह संदेश हटा दिया गया है
  आपने यह मैसेज डिलीट किया
  तुमने यह मैसेज डिलीट किया
  تم حذف هذه الرسالة
  لقد حذفت هذه الرسالة
  Dit bericht is verwijderd
  U hebt dit bericht verwijderd
`)

/** In angle brackets at the end of an edited text. */
export const isEdited = oneOf(`
  This message was edited
  Se editó este mensaje
  Mensagem editada
  Esta mensagem foi editada
  Ce message a été modifié
  Diese Nachricht wurde bearbeitet
  Questo messaggio è stato modificato
  Pesan ini diedit
  यह मैसेज एडिट किया गया
  यह संदेश संपादित किया गया
  تم تعديل هذه الرسالة
  Dit bericht is bewerkt
`)
