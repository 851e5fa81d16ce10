; The Windows installer, for one user or for all: installers/build.py defines Version, Source and Name.
[Setup]
AppId=Charlemagne
AppName=Charlemagne
AppVersion={#Version}
DefaultDirName={autopf}\Charlemagne
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
OutputBaseFilename={#Name}
UninstallDisplayIcon={app}\Charlemagne.exe
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "fr"; MessagesFile: "compiler:Languages\French.isl"

[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Source}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Charlemagne"; Filename: "{app}\Charlemagne.exe"
Name: "{autodesktop}\Charlemagne"; Filename: "{app}\Charlemagne.exe"

[Run]
Filename: "{app}\Charlemagne.exe"; Description: "Charlemagne"; Flags: postinstall nowait skipifsilent
