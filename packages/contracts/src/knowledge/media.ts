/** A file format that notes may come in. */
interface Container {
  /** ffmpeg's demuxers that read it. */
  demuxers: string[]
  /** MIME types of its content, without parameters, as the npm package file-type names them. */
  mimes: string[]
  /** Usual file extensions. */
  endings: string[]
  /** First bytes in hexadecimal, if file-type doesn't recognize the format; such a file gets the first of `mimes`. */
  begins?: string[]
}

const kind = (demuxers: string, mimes: string, endings: string, begins?: Container['begins']): Container => ({
  demuxers: demuxers.split(' '),
  mimes: mimes.split(' '),
  endings: endings.split(' '),
  ...(begins && { begins }),
})

/** Every format that is accepted and read. Musical scores aren't among them: they have no recorded sound. */
export const CONTAINERS: Container[] = [
  kind('aac', 'audio/aac', 'aac'),
  kind('ac3 eac3', 'audio/vnd.dolby.dd-raw', 'ac3 eac3'),
  kind('aiff', 'audio/aiff', 'aif aiff aifc'),
  kind('amr', 'audio/amr', 'amr awb'),
  kind('ape', 'audio/ape', 'ape'),
  kind('asf', 'application/vnd.ms-asf audio/x-ms-asf video/x-ms-asf', 'asf wma wmv'),
  kind('au', 'audio/basic', 'au snd', ['2e736e64']),
  kind('avi', 'video/vnd.avi', 'avi'),
  kind('caf', 'audio/x-caf', 'caf'),
  kind('dsf', 'audio/x-dsf', 'dsf'),
  kind('flac', 'audio/flac', 'flac'),
  kind('flv', 'video/x-flv', 'flv'),
  kind('matroska webm', 'video/matroska video/webm', 'mkv mka webm'),
  kind(
    'mov mp4 m4a 3gp',
    'video/mp4 audio/mp4 audio/x-m4a video/x-m4v video/quicktime video/3gpp video/3gpp2',
    'mp4 m4a m4b m4v mov qt 3gp 3g2',
  ),
  kind('mp3', 'audio/mpeg', 'mp3 mp2 mpga'),
  kind('mpc mpc8', 'audio/x-musepack', 'mpc'),
  kind(
    'mpeg mpegts mpegvideo',
    'video/mpeg video/mp1s video/mp2p video/mp2t',
    'mpeg mpg mpe ts mts m2ts vob',
  ),
  kind('mxf', 'application/mxf', 'mxf'),
  kind('ogg', 'audio/ogg video/ogg application/ogg', 'ogg oga ogv ogx opus spx'),
  kind('qcp', 'audio/qcelp', 'qcp'),
  kind('voc', 'audio/x-voc', 'voc'),
  kind('w64', 'audio/x-w64', 'w64', ['726966662e91cf11']),
  // RF64 and BW64 are for files that are, or may become, larger than 4 GB.
  kind('wav', 'audio/wav', 'wav rf64 bw64', ['52463634', '42573634']),
  kind('wv', 'audio/wavpack', 'wv'),
]

/** First bytes in hexadecimal of recordings that nothing here reads: SILK (WeChat's, and plain), DSS and DS2. */
export const UNREAD = ['02232153494c4b', '232153494c4b', '02647373', '03647373', '03647332']

export const MEDIA_ENDINGS = CONTAINERS.flatMap(({ endings }) => endings)

/** Returns a MIME type without its parameters: `audio/ogg; codecs=opus` → `audio/ogg`. */
export const plainMime = (mime: string): string => mime.split(';')[0]!.trim().toLowerCase()

/** Extensions of unnamed files, by the MIME types that messengers and browsers send. */
const ENDINGS: Record<string, string> = {
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/x-wav': 'wav',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/webm': 'webm',
}

/** Returns the extension for a MIME type; undefined for a type that notes rarely have. */
export const endingOf = (mime: string): string | undefined => ENDINGS[plainMime(mime)]

function containerOf(mime: string): Container | undefined {
  const plain = plainMime(mime)
  return CONTAINERS.find(({ mimes }) => mimes.includes(plain))
}

/** Whether files of a MIME type are accepted. */
export const isMediaMime = (mime: string): boolean => containerOf(mime) !== undefined

/** Formats whose packets have timestamps, by their first demuxer. In all others the demuxer counts the time. */
const CLOCKED = ['asf', 'avi', 'flv', 'matroska', 'mov', 'mpeg', 'mxf', 'ogg']

/** Whether the timestamps of such a file can reveal pauses; true for an unknown type. */
export const hasClock = (mime: string | null | undefined): boolean =>
  CLOCKED.includes(containerOf(mime ?? '')?.demuxers[0] ?? 'matroska')

/** Value of ffmpeg's `-format_whitelist`. */
export const DEMUXERS = CONTAINERS.flatMap(({ demuxers }) => demuxers).join()

const pcm = (...kinds: string[]) => kinds.map(kind => `pcm_${kind}`)
const bothWays = (...kinds: string[]) => kinds.flatMap(kind => [`${kind}le`, `${kind}be`])

/** Value of ffmpeg's `-codec_whitelist`: these containers' audio codecs. Not even a cover picture is decoded. */
export const DECODERS = [
  // The one video codec: ffmpeg decodes a few pictures to find the video's beginning, from which times count.
  'h264',
  'aac,aac_latm,ac3,alac,ape,dca,eac3,flac,mlp,opus,libopus,truehd',
  'mp1float,mp1,mp2float,mp2,mp3float,mp3,mpc7,mpc8,tta,vorbis,libvorbis',
  'wavpack,wmalossless,wmapro,wmav1,wmav2,wmavoice,nellymoser,qdm2,qdmc,s302m',
  // Codecs of telephones and dictation machines.
  'amrnb,amrwb,libopencore_amrnb,libopencore_amrwb,evrc,g722,g723_1,g726,g726le,g729,gsm,gsm_ms,libgsm,libgsm_ms',
  'ilbc,libilbc,qcelp,speex,libspeex,truespeech,mace3,mace6',
  'adpcm_ct,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,adpcm_swf,adpcm_yamaha,adpcm_sbpro_2,adpcm_sbpro_3,adpcm_sbpro_4',
  'dsd_lsbf,dsd_msbf,dsd_lsbf_planar,dsd_msbf_planar',
  ...pcm('alaw', 'mulaw', 'u8', 's8', 's8_planar', 'bluray', 'dvd'),
  ...pcm(...bothWays('s16', 's24', 's32', 's64', 'u16', 'u24', 'u32', 'f32', 'f64')),
  ...pcm('s16le_planar', 's16be_planar', 's24le_planar', 's32le_planar'),
].join()
