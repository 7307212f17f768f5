import { QRCodeSVG } from 'qrcode.react'

/** Dark on white, also in dark mode: cameras need it that way round. */
export const QrCode = ({ link }: { link: string }) => (
  <figure className="justify-self-start">
    <div className="rounded-card border border-line bg-[#fff] p-2">
      <QRCodeSVG
        value={link}
        size={168}
        marginSize={2}
        bgColor="#ffffff"
        fgColor="#191d33"
        role="img"
        aria-label="QR code that opens the chat in WhatsApp"
      />
    </div>
    <figcaption className="mt-2 text-center text-soft text-sm">Scan with your phone</figcaption>
  </figure>
)
