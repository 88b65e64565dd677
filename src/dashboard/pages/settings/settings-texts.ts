import { defineTexts } from '../../i18n/texts.ts'
import type { Fault } from './draft/settings-issues.ts'

/** The frame around the sections: where one is, saving, and what stands in the way. */
export const settingsTexts = defineTexts(
  {
    navigation: 'Seções dos ajustes',
    groups: { booking: 'Agenda', talking: 'Conversas', account: 'Empresa' },
    sections: {
      services: 'Serviços',
      professionals: 'Profissionais',
      exceptions: 'Folgas e feriados',
      rules: 'Regras de agendamento',
      handoff: 'Atendimento humano',
      assistant: 'Assistente',
      replies: 'Respostas prontas',
      whatsapp: 'WhatsApp',
      business: 'Dados da empresa',
      staff: 'Equipe',
    },
    ownersOnly: 'Só para responsáveis',
    ownersOnlyHint:
      'Os ajustes da empresa são feitos por quem é responsável. Peça a essa pessoa a mudança que falta.',
    toInbox: 'Ir para as conversas',
    unsaved: 'Há mudanças não salvas',
    discard: 'Descartar',
    saved: 'Ajustes salvos',
    notSaved: 'Não foi possível salvar',
    offline: 'Sem conexão com o servidor. O que você mudou continua aqui.',
    issues: (count: number) => (count === 1 ? 'Falta corrigir 1 campo' : `Falta corrigir ${count} campos`),
    showFirst: 'Mostrar',
    elsewhere: 'Também não foi aceito',
    newer: 'Outra pessoa salvou os ajustes enquanto você editava',
    newerHint:
      'Nada do que ela mudou se perdeu, e o que você mudou continua aqui, sem salvar. Traga a versão dela para esta tela e confira antes de salvar.',
    rebase: 'Trazer e manter o que mudei',
    takeTheirs: 'Ficar só com a versão dela',
    rebased: 'Versão mais nova carregada. Confira e salve.',
    theirs: (value: string) => `Outra pessoa salvou: ${value}`,
    empty: 'vazio',
    leaveTitle: 'Sair sem salvar?',
    leaveHint: 'O que você mudou nos ajustes ainda não foi salvo.',
    stay: 'Continuar editando',
    leave: 'Sair sem salvar',
    discardTitle: 'Descartar as mudanças?',
    discardHint: 'Tudo volta a ser como está salvo.',
    fault: (fault: Fault) => {
      switch (fault.kind) {
        case 'required':
          return 'Preencha este campo'
        case 'whole':
          return 'Use um número inteiro'
        case 'format':
          return 'Este valor não é válido'
        case 'repeated':
          return 'Já existe outro com este código'
        case 'overlap':
          return 'Este horário se sobrepõe a outro'
        case 'before':
          return 'O fim vem antes do começo'
        case 'unknown':
          return 'Isto não existe mais'
        case 'least':
          return `O mínimo é ${fault.bound}`
        case 'most':
          return `O máximo é ${fault.bound}`
        case 'long':
          return `Use no máximo ${fault.bound} caracteres`
        case 'many':
          return `São no máximo ${fault.bound}`
        case 'said':
          return `Não aceito pelo servidor: ${fault.message}`
      }
    },
  },
  {
    navigation: 'Secciones de los ajustes',
    groups: { booking: 'Agenda', talking: 'Conversaciones', account: 'Empresa' },
    sections: {
      services: 'Servicios',
      professionals: 'Profesionales',
      exceptions: 'Cierres y feriados',
      rules: 'Reglas de reserva',
      handoff: 'Atención humana',
      assistant: 'Asistente',
      replies: 'Respuestas rápidas',
      whatsapp: 'WhatsApp',
      business: 'Datos de la empresa',
      staff: 'Equipo',
    },
    ownersOnly: 'Solo para responsables',
    ownersOnlyHint: 'Los ajustes de la empresa los hace quien es responsable. Pídele el cambio que falta.',
    toInbox: 'Ir a las conversaciones',
    unsaved: 'Hay cambios sin guardar',
    discard: 'Descartar',
    saved: 'Ajustes guardados',
    notSaved: 'No se pudo guardar',
    offline: 'Sin conexión con el servidor. Lo que cambiaste sigue aquí.',
    issues: (count) => (count === 1 ? 'Falta corregir 1 campo' : `Falta corregir ${count} campos`),
    showFirst: 'Mostrar',
    elsewhere: 'Tampoco se aceptó',
    newer: 'Otra persona guardó los ajustes mientras editabas',
    newerHint:
      'Nada de lo que cambió se perdió, y lo que cambiaste sigue aquí, sin guardar. Trae su versión a esta pantalla y revisa antes de guardar.',
    rebase: 'Traer y mantener lo que cambié',
    takeTheirs: 'Quedarse solo con su versión',
    rebased: 'Versión más nueva cargada. Revisa y guarda.',
    theirs: (value) => `Otra persona guardó: ${value}`,
    empty: 'vacío',
    leaveTitle: '¿Salir sin guardar?',
    leaveHint: 'Lo que cambiaste en los ajustes todavía no se guardó.',
    stay: 'Seguir editando',
    leave: 'Salir sin guardar',
    discardTitle: '¿Descartar los cambios?',
    discardHint: 'Todo vuelve a estar como está guardado.',
    fault: (fault) => {
      switch (fault.kind) {
        case 'required':
          return 'Completa este campo'
        case 'whole':
          return 'Usa un número entero'
        case 'format':
          return 'Este valor no es válido'
        case 'repeated':
          return 'Ya existe otro con este código'
        case 'overlap':
          return 'Este horario se superpone con otro'
        case 'before':
          return 'El fin está antes del comienzo'
        case 'unknown':
          return 'Esto ya no existe'
        case 'least':
          return `El mínimo es ${fault.bound}`
        case 'most':
          return `El máximo es ${fault.bound}`
        case 'long':
          return `Usa como máximo ${fault.bound} caracteres`
        case 'many':
          return `Son como máximo ${fault.bound}`
        case 'said':
          return `El servidor no lo aceptó: ${fault.message}`
      }
    },
  },
  {
    navigation: 'Sections of the settings',
    groups: { booking: 'Booking', talking: 'Conversations', account: 'Business' },
    sections: {
      services: 'Services',
      professionals: 'Professionals',
      exceptions: 'Closures and holidays',
      rules: 'Booking rules',
      handoff: 'Human attendance',
      assistant: 'Assistant',
      replies: 'Canned replies',
      whatsapp: 'WhatsApp',
      business: 'Business details',
      staff: 'Staff',
    },
    ownersOnly: 'For owners only',
    ownersOnlyHint:
      'The settings of the business are made by its owners. Ask one of them for the change you need.',
    toInbox: 'Go to the inbox',
    unsaved: 'There are unsaved changes',
    discard: 'Discard',
    saved: 'Settings saved',
    notSaved: 'Could not save',
    offline: 'The server cannot be reached. What you changed is still here.',
    issues: (count) => (count === 1 ? '1 field needs attention' : `${count} fields need attention`),
    showFirst: 'Show',
    elsewhere: 'Not accepted either',
    newer: 'Somebody else saved the settings while you were editing',
    newerHint:
      'Nothing they changed is lost, and what you changed is still here, not saved. Bring their version to this screen and look it over before you save.',
    rebase: 'Bring it in, keep my changes',
    takeTheirs: 'Keep only their version',
    rebased: 'The newer version is loaded. Look it over and save.',
    theirs: (value) => `Somebody else saved: ${value}`,
    empty: 'empty',
    leaveTitle: 'Leave without saving?',
    leaveHint: 'What you changed in the settings is not saved yet.',
    stay: 'Keep editing',
    leave: 'Leave without saving',
    discardTitle: 'Discard the changes?',
    discardHint: 'Everything goes back to what is saved.',
    fault: (fault) => {
      switch (fault.kind) {
        case 'required':
          return 'Fill this in'
        case 'whole':
          return 'Use a whole number'
        case 'format':
          return 'This value is not valid'
        case 'repeated':
          return 'Another one has this code'
        case 'overlap':
          return 'These hours overlap others'
        case 'before':
          return 'The end is before the beginning'
        case 'unknown':
          return 'This does not exist any more'
        case 'least':
          return `At least ${fault.bound}`
        case 'most':
          return `At most ${fault.bound}`
        case 'long':
          return `At most ${fault.bound} characters`
        case 'many':
          return `At most ${fault.bound} of them`
        case 'said':
          return `Not accepted by the server: ${fault.message}`
      }
    },
  },
)
