import {
  ActionIcon,
  Avatar,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import {
  IconBell,
  IconBellOff,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react'
import { useLogout, useMe } from '../auth/session.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { UI_LOCALES, useLocale, useTexts } from '../i18n/texts.ts'
import classes from './account-menu.module.css'
import { playChime, useSoundSetting } from './attention.ts'

const LANGUAGES = { 'pt-BR': 'Português', es: 'Español', en: 'English' } as const
const SCHEMES = [
  { value: 'light', icon: IconSun, name: 'light' },
  { value: 'dark', icon: IconMoon, name: 'dark' },
  { value: 'auto', icon: IconDeviceDesktop, name: 'system' },
] as const

/** Sound, appearance, language and the way out. */
export function AccountMenu() {
  const texts = useTexts(commonTexts)
  const { staff, tenant } = useMe()
  const { locale, setLocale } = useLocale()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const logout = useLogout()
  return (
    <div className={classes.foot}>
      <SoundSwitch />
      <Menu position="right-end" width={240} withArrow>
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <Avatar name={staff.name} color="brand" variant="filled" radius="xl" size={38} />
            <VisuallyHidden>{`${texts.account}: ${staff.name}`}</VisuallyHidden>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.who}>
            <strong>{staff.name}</strong>
            <span>
              {texts.role[staff.role]} · {tenant.name}
            </span>
          </div>
          <Menu.Divider />
          <Menu.Label>{texts.appearance}</Menu.Label>
          {SCHEMES.map(({ value, icon: Icon, name }) => (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} />}
              rightSection={colorScheme === value && <IconCheck size={14} />}
              closeMenuOnClick={false}
              onClick={() => setColorScheme(value)}
            >
              {texts[name]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{texts.language}</Menu.Label>
          {UI_LOCALES.map((value) => (
            <Menu.Item
              key={value}
              lang={value}
              rightSection={locale === value && <IconCheck size={14} />}
              closeMenuOnClick={false}
              onClick={() => setLocale(value)}
            >
              {LANGUAGES[value]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logout()}>
            {texts.logOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

function SoundSwitch() {
  const texts = useTexts(commonTexts)
  const [isOn, setIsOn] = useSoundSetting()
  const label = isOn ? texts.soundOn : texts.soundOff
  const toggle = () => {
    if (!isOn) playChime()
    setIsOn(!isOn)
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={38}
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      onClick={toggle}
    >
      {isOn ? <IconBell size={20} stroke={1.7} /> : <IconBellOff size={20} stroke={1.7} />}
    </ActionIcon>
  )
}
