internal import ForsettiModuleKit

/// Draws the form for a note on the record of a Mac.
struct NoteView {
  let device: SupportDevice

  var nodes: [ViewNode] {
    guard device.kind == .computer, let id = device.id else { return [] }
    let form = ViewForm(
      fields: [
        ViewField(
          fieldID: "device", label: "Mac", kind: .choice([id.text]), value: id.text, isRequired: true),
        ViewField(fieldID: "note", label: "Note", kind: .multiline, isRequired: true),
      ],
      submitTitle: "Attach",
      eventType: ModuleDesk.type("attach", of: SupportTechnicianManifest.manifest.moduleID))
    return [
      .text("Note", style: .heading),
      .text(
        "It becomes a file that Jamf Pro keeps with the Mac's record; nothing of it stays here.",
        style: .caption),
      .form(form),
    ]
  }
}
