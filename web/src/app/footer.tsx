import { Trans } from '@lingui/react'
import { SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useInstallation, useOpenToAll } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { TextLink } from '../ui/action/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Brand } from '../ui/layout/brand.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { ThemeSwitch } from './theme.tsx'

const QUICK_LINKS = {
  '/': /*i18n*/ 'Home',
  '/pricing': /*i18n*/ 'Pricing',
  '/blog': /*i18n*/ 'Blog',
  '/docs': /*i18n*/ 'Docs',
}
const SIGN_UP = { '/signup': /*i18n*/ 'Sign Up' }
const SERVICES = [
  /*i18n*/ 'Audio transcription',
  /*i18n*/ 'Voice to text',
  /*i18n*/ 'Multi-language support',
  /*i18n*/ 'High accuracy',
]
/** Networks by name: the address that shares a page there, and the path of the icon. */
const SOCIAL: Record<string, [address: string, shape: string]> = {
  X: [
    'https://x.com/intent/post?url=',
    'M5 4h3.500l10.500 16h-3.500zM18.500 4 13 10.500M5.500 20l5.700-6.700',
  ],
  LinkedIn: [
    'https://www.linkedin.com/sharing/share-offsite/?url=',
    'M5 9v11M5 4.500v.1M10 20V9m0 5.500c0-7 9-7.500 9-1V20',
  ],
}
const LEGAL = {
  '/privacy': /*i18n*/ 'Privacy Policy',
  '/terms': /*i18n*/ 'Terms of Service',
  '/cookies': /*i18n*/ 'Cookie Policy',
}
const SHORT = {
  '/docs': /*i18n*/ 'Docs',
  '/contact': /*i18n*/ 'Contact',
  '/privacy': /*i18n*/ 'Privacy Policy',
}

function Links({ to: links, className }: { to: Record<string, string>; className: string }) {
  const plans = useInstallation()?.plans
  return (
    <ul className={className}>
      {Object.entries(links)
        .filter(([to]) => to !== '/pricing' || plans !== false)
        .map(([to, name]) => (
          <li key={to}>
            <Link to={to} className="rounded-sm underline-offset-4 hover:text-accent hover:underline">
              {i18n.t(name)}
            </Link>
          </li>
        ))}
    </ul>
  )
}

const Column = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h2 className="mb-3 font-sans font-semibold text-base tracking-normal">{title}</h2>
    <div className="text-soft">{children}</div>
  </div>
)

/** Signed-in people find language and appearance in the settings; on a phone, one line is left of their footer. */
export function Footer() {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <footer
      className="print:hidden mt-24 max-sm:data-short:mt-12 border-line border-t bg-sunken"
      data-short={isSignedIn || undefined}
    >
      {isSignedIn && (
        <Links
          to={SHORT}
          className="page flex flex-wrap justify-between gap-x-4 gap-y-2 py-5 text-soft text-sm sm:hidden"
        />
      )}
      <WholeFooter className={isSignedIn ? 'max-sm:hidden' : undefined} />
    </footer>
  )
}

const WholeFooter = ({ className }: { className: string | undefined }) => (
  <div className={className}>
    <div className="page grid gap-10 py-14 sm:grid-cols-2 lg:grid-cols-[1.6fr_1fr_1fr_1.2fr]">
      <div className="text-soft">
        <div className="flex text-ink">
          <Brand />
        </div>
        <p className="mt-3 max-w-72">
          {i18n.t('Voice notes, written down. For everyone who would rather read.')}
        </p>
        <ul className="-ms-2 mt-4 flex gap-1">
          {Object.entries(SOCIAL).map(([name, [address, shape]]) => (
            <li key={name}>
              <a
                href={address + encodeURIComponent(window.location.origin)}
                target="_blank"
                rel="noreferrer"
                className="grid size-11 place-items-center rounded-md hover:bg-wash hover:text-accent"
              >
                <Icon of={shape} className="size-5" />
                <span className="sr-only">{i18n.t('Share on {name}', { name })}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <Column title={i18n.t('Quick links')}>
        <Links to={{ ...QUICK_LINKS, ...(useOpenToAll() && SIGN_UP) }} className="grid gap-2" />
      </Column>
      <Column title={i18n.t('Services')}>
        <ul className="grid gap-2">
          {SERVICES.map(service => (
            <li key={service}>{i18n.t(service)}</li>
          ))}
        </ul>
      </Column>
      <Column title={i18n.t('Support')}>
        <p>
          <Trans
            id="{hours, plural, one {Something unclear? <0>Write to support</0>. We answer within # hour.} other {Something unclear? <0>Write to support</0>. We answer within # hours.}}"
            components={{ 0: <TextLink to="/contact" /> }}
            values={{ hours: SUPPORT_HOURS }}
          />
        </p>
      </Column>
    </div>
    <div className="page">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-line border-t py-6 text-soft text-sm">
        <p>© {new Date().getFullYear()} Voxscribe</p>
        <div className="flex flex-wrap items-center gap-x-6">
          <LanguageSwitch place="footer" />
          <ThemeSwitch />
        </div>
        <Links to={LEGAL} className="flex flex-wrap gap-x-6 gap-y-2" />
      </div>
    </div>
  </div>
)
