<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>CommandLine</name>
    <message>
        <source>--%1 wants a whole number of at least %2, not &quot;%3&quot;.</source>
        <translation>--%1 verlangt eine ganze Zahl ab %2, nicht „%3“.</translation>
    </message>
    <message>
        <source>--text and --prompts exclude each other.</source>
        <translation>--text und --prompts schließen einander aus.</translation>
    </message>
    <message>
        <source>--size wants WxH, such as 1440x900, not &quot;%1&quot;.</source>
        <translation>--size verlangt BxH, etwa 1440x900, nicht „%1“.</translation>
    </message>
    <message>
        <source>--bench-gui wants a profile or a model.</source>
        <translation>--bench-gui braucht ein Profil oder ein Modell.</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Permafrost manual</source>
        <translation>Permafrost-Handbuch</translation>
    </message>
    <message>
        <source># Permafrost

The manual is not part of this build.</source>
        <translation># Permafrost

Das Handbuch fehlt in dieser Fassung.</translation>
    </message>
    <message>
        <source>About Permafrost</source>
        <translation>Über Permafrost</translation>
    </message>
    <message>
        <source>Finds frozen feed-forward neurons of language models, shows what skipping them is worth and costs.</source>
        <translation>Findet eingefrorene Feed-forward-Neuronen von Sprachmodellen und zeigt, was ihr Weglassen bringt und kostet.</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder neuer.</translation>
    </message>
    <message>
        <source>Built with:</source>
        <translation>Gebaut mit:</translation>
    </message>
</context>
<context>
    <name>Metric</name>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>% of neurons</source>
        <translation>% der Neuronen</translation>
    </message>
    <message>
        <source>Share of neurons that the mask freezes.</source>
        <translation>Anteil der Neuronen, die die Maske einfriert.</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>h²</source>
        <translation>h²</translation>
    </message>
    <message>
        <source>Variance of h = act(gate) · up over all tokens.</source>
        <translation>Varianz von h = act(gate) · up über alle Token.</translation>
    </message>
    <message>
        <source>|Mean|</source>
        <translation>|Mittel|</translation>
    </message>
    <message>
        <source>|h|</source>
        <translation>|h|</translation>
    </message>
    <message>
        <source>Magnitude of the mean of h over all tokens.</source>
        <translation>Betrag des Mittels von h über alle Token.</translation>
    </message>
    <message>
        <source>Low activity</source>
        <translation>Geringe Aktivität</translation>
    </message>
    <message>
        <source>% of tokens</source>
        <translation>% der Token</translation>
    </message>
    <message>
        <source>Share of tokens with |h| below the activation threshold.</source>
        <translation>Anteil der Token mit |h| unter der Aktivierungsschwelle.</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Root mean square of h over all tokens.</source>
        <translation>Quadratisches Mittel von h über alle Token.</translation>
    </message>
    <message>
        <source>Largest |h|</source>
        <translation>Größtes |h|</translation>
    </message>
    <message>
        <source>Largest magnitude of h that any token reached.</source>
        <translation>Größter Betrag von h, den ein Token erreicht hat.</translation>
    </message>
    <message>
        <source>Temporal gradient</source>
        <translation>Zeitlicher Gradient</translation>
    </message>
    <message>
        <source>|Δh| per token</source>
        <translation>|Δh| je Token</translation>
    </message>
    <message>
        <source>Mean change of h from one token to the next.</source>
        <translation>Mittlere Änderung von h von einem Token zum nächsten.</translation>
    </message>
    <message>
        <source>Guard score</source>
        <translation>Schutzwert</translation>
    </message>
    <message>
        <source>× typical</source>
        <translation>× typische Ausgabe</translation>
    </message>
    <message>
        <source>Largest |h| times the down column&apos;s norm, over the layer&apos;s typical output.</source>
        <translation>Größtes |h| mal Norm der Down-Spalte, geteilt durch die typische Ausgabe der Schicht.</translation>
    </message>
    <message>
        <source>Output impact</source>
        <translation>Wirkung auf die Ausgabe</translation>
    </message>
    <message>
        <source>Standard deviation of h times the down column&apos;s norm, over the layer&apos;s typical output.</source>
        <translation>Standardabweichung von h mal Norm der Down-Spalte, geteilt durch die typische Ausgabe der Schicht.</translation>
    </message>
</context>
<context>
    <name>RuleField</name>
    <message>
        <source>Variance below</source>
        <translation>Varianz unter</translation>
    </message>
    <message>
        <source>|Mean| below</source>
        <translation>|Mittel| unter</translation>
    </message>
    <message>
        <source>Activation below</source>
        <translation>Aktivierung unter</translation>
    </message>
    <message>
        <source>Inactive on more than</source>
        <translation>Inaktiv bei mehr als</translation>
    </message>
    <message>
        <source>Share to freeze</source>
        <translation>Einzufrierender Anteil</translation>
    </message>
    <message>
        <source>Guard ratio</source>
        <translation>Schutzverhältnis</translation>
    </message>
    <message>
        <source>% of tokens</source>
        <translation>% der Token</translation>
    </message>
    <message>
        <source>% of neurons</source>
        <translation>% der Neuronen</translation>
    </message>
    <message>
        <source>× output</source>
        <translation>× Ausgabe</translation>
    </message>
    <message>
        <source>Low variance: the neuron&apos;s output hardly changes.</source>
        <translation>Geringe Varianz: Die Ausgabe des Neurons ändert sich kaum.</translation>
    </message>
    <message>
        <source>Zero gradient: the neuron&apos;s mean output is close to zero.</source>
        <translation>Nullgradient: Die mittlere Ausgabe des Neurons liegt nahe null.</translation>
    </message>
    <message>
        <source>Low activity: counts tokens with |h| below this; moves in steps of an eighth of a decade.</source>
        <translation>Geringe Aktivität: zählt Token mit |h| darunter; in Schritten einer Achteldekade.</translation>
    </message>
    <message>
        <source>Low activity: on more than this share of the tokens.</source>
        <translation>Geringe Aktivität: bei mehr als diesem Anteil der Token.</translation>
    </message>
    <message>
        <source>This share of each layer is frozen, smallest first.</source>
        <translation>Dieser Anteil jeder Schicht wird eingefroren, die kleinsten zuerst.</translation>
    </message>
    <message>
        <source>Neurons whose largest output reaches this multiple of the layer&apos;s typical output stay active.</source>
        <translation>Neuronen, deren größte Ausgabe dieses Vielfache der typischen Ausgabe der Schicht erreicht, bleiben aktiv.</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>alle Schichten</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>Schichten %1</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::Actions</name>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open a model or a profile</source>
        <translation>Ein Modell oder Profil öffnen</translation>
    </message>
    <message>
        <source>Open the &amp;demo model</source>
        <translation>&amp;Demomodell öffnen</translation>
    </message>
    <message>
        <source>A small model that comes with the program</source>
        <translation>Ein kleines Modell, das dem Programm beiliegt</translation>
    </message>
    <message>
        <source>&amp;Save profile…</source>
        <translation>Profil &amp;speichern …</translation>
    </message>
    <message>
        <source>Keep the statistics as a .frost file</source>
        <translation>Die Statistik als .frost-Datei aufheben</translation>
    </message>
    <message>
        <source>Write masks, manifest, Rust source, CSV and .rknot to a folder</source>
        <translation>Masken, Manifest, Rust-Quelltext, CSV und .rknot in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Copy the layers table</source>
        <translation>Schichttabelle &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy all layers as tab-separated text</source>
        <translation>Alle Schichten als Text mit Tabulatoren kopieren</translation>
    </message>
    <message>
        <source>&amp;Reset thresholds</source>
        <translation>Schwellen &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Back to the default rule</source>
        <translation>Zurück zur Standardregel</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>Run the text through the model</source>
        <translation>Den Text durch das Modell schicken</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Hold the run between two waves</source>
        <translation>Den Lauf zwischen zwei Wellen anhalten</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Stop the run and keep what it has</source>
        <translation>Den Lauf beenden und behalten, was da ist</translation>
    </message>
    <message>
        <source>&amp;Fit the heatmap</source>
        <translation>Heatmap &amp;einpassen</translation>
    </message>
    <message>
        <source>Show all layers and neurons</source>
        <translation>Alle Schichten und Neuronen zeigen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Vergrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Save &amp;picture of the view…</source>
        <translation>&amp;Bild der Ansicht speichern …</translation>
    </message>
    <message>
        <source>PNG of the current view</source>
        <translation>PNG der aktuellen Ansicht</translation>
    </message>
    <message>
        <source>Full &amp;screen</source>
        <translation>V&amp;ollbild</translation>
    </message>
    <message>
        <source>Follow the s&amp;ystem</source>
        <translation>Wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Put all panels back where they were at first</source>
        <translation>Alle Bereiche an ihren ersten Platz stellen</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;About Permafrost</source>
        <translation>&amp;Über Permafrost</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Save s&amp;ession…</source>
        <translation>S&amp;itzung speichern…</translation>
    </message>
    <message>
        <source>Keep thresholds, selection, view and notes, and which profile they are about</source>
        <translation>Schwellen, Auswahl, Ansicht und Notizen behalten und zu welchem Profil sie gehören</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>To the section of the heatmap that was looked at before</source>
        <translation>Zum Ausschnitt der Heatmap, der davor betrachtet wurde</translation>
    </message>
    <message>
        <source>For&amp;ward</source>
        <translation>&amp;Vor</translation>
    </message>
    <message>
        <source>To the section of the heatmap that was looked at after this one</source>
        <translation>Zum Ausschnitt der Heatmap, der danach betrachtet wurde</translation>
    </message>
    <message>
        <source>Layout: &amp;explore</source>
        <translation>Anordnung: &amp;Erkunden</translation>
    </message>
    <message>
        <source>Run, layers, thresholds and quality around the views</source>
        <translation>Lauf, Schichten, Schwellen und Qualität um die Ansichten</translation>
    </message>
    <message>
        <source>Layout: re&amp;view</source>
        <translation>Anordnung: &amp;Prüfen</translation>
    </message>
    <message>
        <source>Verdict, layers, quality and notes: what a sign-off needs</source>
        <translation>Urteil, Schichten, Qualität und Notizen: was eine Freigabe braucht</translation>
    </message>
    <message>
        <source>Layout: e&amp;xport</source>
        <translation>Anordnung: E&amp;xportieren</translation>
    </message>
    <message>
        <source>Verdict and layers, the views wide</source>
        <translation>Urteil und Schichten, die Ansichten breit</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Find any command by its name</source>
        <translation>Jeden Befehl über seinen Namen finden</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>Another window, for another model or profile</source>
        <translation>Ein weiteres Fenster, für ein anderes Modell oder Profil</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>Fenster s&amp;chließen</translation>
    </message>
    <message>
        <source>Close all windows</source>
        <translation>Alle Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Shortcuts…</source>
        <translation>&amp;Tastenkürzel…</translation>
    </message>
    <message>
        <source>Choose the keys of each command</source>
        <translation>Die Tasten jedes Befehls wählen</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Type a part of a command&apos;s name</source>
        <translation>Einen Teil des Namens eingeben</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::Docks</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Default thresholds</source>
        <translation>Standardschwellen</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Neuron</source>
        <translation>Neuron</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>What you found and decided. Notes are kept in the session.</source>
        <translation>Was Sie gefunden und entschieden haben. Notizen bleiben in der Sitzung.</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::ExportDialog</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>What will be written</source>
        <translation>Was geschrieben wird</translation>
    </message>
    <message>
        <source>Nothing is profiled yet.</source>
        <translation>Noch ist nichts profiliert.</translation>
    </message>
    <message>
        <source>figures, verdict and settings</source>
        <translation>Zahlen, Urteil und Einstellungen</translation>
    </message>
    <message>
        <source>the masks as Rust source</source>
        <translation>die Masken als Rust-Quelltext</translation>
    </message>
    <message>
        <source>one row a layer, %1 layers</source>
        <translation>eine Zeile je Schicht, %1 Schichten</translation>
    </message>
    <message>
        <source>the masks, %1, without weights</source>
        <translation>die Masken, %1, ohne Gewichte</translation>
    </message>
    <message>
        <source>The profile is not complete: the masks are provisional.</source>
        <translation>Das Profil ist nicht vollständig: Die Masken sind vorläufig.</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Einen Ordner wählen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Masks, report and manifest</source>
        <translation>Masken, Bericht und Manifest</translation>
    </message>
    <message>
        <source>The model with the masks in it</source>
        <translation>Das Modell mit den Masken darin</translation>
    </message>
    <message>
        <source>A smaller model without the frozen neurons</source>
        <translation>Ein kleineres Modell ohne die eingefrorenen Neuronen</translation>
    </message>
    <message>
        <source>&amp;Keep the removed neurons&apos; means as a bias</source>
        <translation>Mittelwerte der entfernten Neuronen als Bias be&amp;halten</translation>
    </message>
    <message>
        <source>What the removed neurons add on average stays, which mostly costs less quality.</source>
        <translation>Was die entfernten Neuronen im Mittel beitragen, bleibt; das kostet meist weniger Qualität.</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>&amp;Was</translation>
    </message>
    <message>
        <source>The same on the command line</source>
        <translation>Dasselbe auf der Befehlszeile</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>the masks alone, about %1</source>
        <translation>die Masken allein, etwa %1</translation>
    </message>
    <message>
        <source>Choose a name that ends in .safetensors, .gguf, .rknot or .saturation.json.</source>
        <translation>Wählen Sie einen Namen, der auf .safetensors, .gguf, .rknot oder .saturation.json endet.</translation>
    </message>
    <message>
        <source>Choose a name that ends in .gguf, .rknot or .saturation.json.</source>
        <translation>Wählen Sie einen Namen, der auf .gguf, .rknot oder .saturation.json endet.</translation>
    </message>
    <message>
        <source>about %1, of which %2 are masks; every tensor stays as it is</source>
        <translation>etwa %1, davon %2 Masken; jeder Tensor bleibt, wie er ist</translation>
    </message>
    <message>
        <source>weights of %1 in place of %2, architecture %3</source>
        <translation>Gewichte von %1 statt %2, Architektur %3</translation>
    </message>
    <message>
        <source>Neurons</source>
        <translation>Neuronen</translation>
    </message>
    <message>
        <source>%1 of %2 stay; widths are whole blocks of 32</source>
        <translation>%1 von %2 bleiben; die Breiten sind ganze Blöcke zu 32</translation>
    </message>
    <message>
        <source>Open the model too: its weights are needed for this.</source>
        <translation>Öffnen Sie auch das Modell: Dafür werden seine Gewichte gebraucht.</translation>
    </message>
    <message>
        <source>The open model is not the one that was profiled.</source>
        <translation>Das offene Modell ist nicht das, das profiliert wurde.</translation>
    </message>
    <message>
        <source>Another export is under way.</source>
        <translation>Ein anderer Export läuft noch.</translation>
    </message>
    <message>
        <source>%1 of %2 neurons are frozen (%3). Verdict: %4.</source>
        <translation>%1 von %2 Neuronen sind eingefroren (%3). Urteil: %4.</translation>
    </message>
    <message>
        <source>BLOCKED: the measured quality speaks against these masks.</source>
        <translation>BLOCKED: Die gemessene Qualität spricht gegen diese Masken.</translation>
    </message>
    <message>
        <source>What they cost in quality is not measured.</source>
        <translation>Was sie an Qualität kosten, ist nicht gemessen.</translation>
    </message>
    <message>
        <source>These masks are hardly worth it.</source>
        <translation>Diese Masken lohnen sich kaum.</translation>
    </message>
    <message>
        <source>Files in the folder with these names are replaced together.</source>
        <translation>Dateien dieser Namen im Ordner werden zusammen ersetzt.</translation>
    </message>
    <message>
        <source>It is written only if its perplexity is that of the masked original; this takes a while.</source>
        <translation>Es wird nur geschrieben, wenn seine Perplexität die des maskierten Originals ist; das dauert eine Weile.</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>A kit for another program</source>
        <translation>Ein Baukasten für ein anderes Programm</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>what to do, for this model</source>
        <translation>was zu tun ist, für dieses Modell</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>for %1, and what it reads masks with</source>
        <translation>für %1, und womit er Masken liest</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::ExportJob</name>
    <message>
        <source>The masks were read back and are the same.</source>
        <translation>Die Masken wurden zurückgelesen und sind dieselben.</translation>
    </message>
    <message>
        <source>Perplexity %1 on %2 held-out tokens; the masked original has %3, the original %4.</source>
        <translation>Perplexität %1 auf %2 zurückgehaltenen Token; das maskierte Original hat %3, das Original %4.</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Comparing with the masked original</source>
        <translation>Vergleich mit dem maskierten Original</translation>
    </message>
    <message>
        <source>README.md there says what to do with it.</source>
        <translation>README.md darin sagt, was damit zu tun ist.</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::MainWindow</name>
    <message>
        <source>Open another…</source>
        <translation>Anderes öffnen …</translation>
    </message>
    <message>
        <source>The profile is saved as %1.</source>
        <translation>Das Profil ist als %1 gespeichert.</translation>
    </message>
    <message>
        <source>Ready: choose the text and press Start (F5).</source>
        <translation>Bereit: Text wählen und Start (F5) drücken.</translation>
    </message>
    <message>
        <source>%1 · %2 tokens · %3</source>
        <translation>%1 · %2 Token · %3</translation>
    </message>
    <message>
        <source>Permafrost</source>
        <translation>Permafrost</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profil</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Reset thresholds</source>
        <translation>Schwellen zurücksetzen</translation>
    </message>
    <message>
        <source>Open a model or a profile</source>
        <translation>Ein Modell oder Profil öffnen</translation>
    </message>
    <message>
        <source>Save the profile</source>
        <translation>Das Profil speichern</translation>
    </message>
    <message>
        <source>Profiles (*.frost)</source>
        <translation>Profile (*.frost)</translation>
    </message>
    <message>
        <source>Save a picture of the view</source>
        <translation>Ein Bild der Ansicht speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>The picture could not be written to %1.</source>
        <translation>Das Bild konnte nicht nach %1 geschrieben werden.</translation>
    </message>
    <message>
        <source>Save profile…</source>
        <translation>Profil speichern …</translation>
    </message>
    <message>
        <source>Profiled %1 tokens. Drag the thresholds, then export the masks.</source>
        <translation>%1 Token profiliert. Ziehen Sie die Schwellen und exportieren Sie dann die Masken.</translation>
    </message>
    <message>
        <source>The run was cancelled; what it has so far is shown and is provisional.</source>
        <translation>Der Lauf wurde abgebrochen; gezeigt wird das bisherige, vorläufige Ergebnis.</translation>
    </message>
    <message>
        <source>The run was cancelled before its first layer.</source>
        <translation>Der Lauf wurde vor der ersten Schicht abgebrochen.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Change the run…</source>
        <translation>Lauf ändern …</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) written to %1.</source>
        <translation>
            <numerusform>%n Datei nach %1 geschrieben.</numerusform>
            <numerusform>%n Dateien nach %1 geschrieben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Text si&amp;ze</source>
        <translation>&amp;Textgröße</translation>
    </message>
    <message>
        <source>The session is saved as %1.</source>
        <translation>Die Sitzung ist als %1 gespeichert.</translation>
    </message>
    <message>
        <source>Models and profiles (*.gguf *.safetensors config.json *.knot *.rknot *.frost *.permafrost);;All files (*)</source>
        <translation>Modelle und Profile (*.gguf *.safetensors config.json *.knot *.rknot *.frost *.permafrost);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Sessions (*.permafrost)</source>
        <translation>Sitzungen (*.permafrost)</translation>
    </message>
    <message>
        <source>The window was not closed properly the last time. Its session was kept.</source>
        <translation>Das Fenster wurde beim letzten Mal nicht richtig geschlossen. Seine Sitzung ist noch da.</translation>
    </message>
    <message>
        <source>Restore it</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Compare with another profile</source>
        <translation>Mit einem anderen Profil vergleichen</translation>
    </message>
    <message>
        <source>Windows were not closed properly the last time. Their sessions were kept.</source>
        <translation>Fenster wurden beim letzten Mal nicht richtig geschlossen. Ihre Sitzungen sind erhalten.</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Multiple choice (*.csv *.jsonl);;All files (*)</source>
        <translation>Auswahlfragen (*.csv *.jsonl);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>%1: %2&#xa0;%</source>
        <translation>%1: %2&#xa0;%</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>Der Export wurde abgebrochen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Change the export…</source>
        <translation>Export ändern …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::PresetMenu</name>
    <message>
        <source>Pre&amp;sets</source>
        <translation>&amp;Vorgaben</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>Vorgabe %1</translation>
    </message>
    <message>
        <source>Keep the thresholds</source>
        <translation>Schwellen behalten</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>Name der Vorgabe</translation>
    </message>
    <message>
        <source>&amp;Keep the present thresholds…</source>
        <translation>Jetzige Schwellen &amp;behalten…</translation>
    </message>
    <message>
        <source>No presets yet</source>
        <translation>Noch keine Vorgaben</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>Vorgaben (*.json)</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Import presets</source>
        <translation>Vorgaben importieren</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export presets</source>
        <translation>Vorgaben exportieren</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::QualityJob</name>
    <message>
        <source>Evaluated setting</source>
        <translation>Gemessene Einstellung</translation>
    </message>
    <message>
        <source>Profile a model, then switch live evaluation on.</source>
        <translation>Profilieren Sie ein Modell und schalten Sie dann die laufende Messung ein.</translation>
    </message>
    <message>
        <source>Waits until the run is finished.</source>
        <translation>Wartet, bis der Lauf fertig ist.</translation>
    </message>
    <message>
        <source>Open the model %1 to measure what its mask costs.</source>
        <translation>Öffnen Sie das Modell %1, um zu messen, was seine Maske kostet.</translation>
    </message>
    <message>
        <source>Switch live evaluation on to measure the present mask.</source>
        <translation>Schalten Sie die laufende Messung ein, um die jetzige Maske zu messen.</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::RecentFiles</name>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::RemovalJob</name>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen …</translation>
    </message>
    <message>
        <source>Alone at zero: KL %1 ± %2 nats, %3; perplexity × %4 ± %5 (%6 tokens).</source>
        <translation>Allein auf null: KL %1 ± %2 nat, %3; Perplexität × %4 ± %5 (%6 Token).</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::RuleAdvisor</name>
    <message>
        <source>Freeze %1 at least harm</source>
        <translation>%1 mit geringstem Schaden einfrieren</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::RunPanel</name>
    <message>
        <source>&amp;Start profiling</source>
        <translation>Profil &amp;starten</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Text to run</source>
        <translation>Text für den Lauf</translation>
    </message>
    <message>
        <source>Built-in prompts</source>
        <translation>Eingebaute Prompts</translation>
    </message>
    <message>
        <source>Prompt file</source>
        <translation>Promptdatei</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>Textdatei</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>no file chosen</source>
        <translation>keine Datei gewählt</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>Number of prompts</source>
        <translation>Zahl der Prompts</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>all (%1)</source>
        <translation>alle (%1)</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>&amp;Text</translation>
    </message>
    <message>
        <source>&amp;Prompts</source>
        <translation>&amp;Prompts</translation>
    </message>
    <message>
        <source>&amp;Context</source>
        <translation>&amp;Kontext</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>T&amp;hreads</translation>
    </message>
    <message numerus="yes">
        <source>%n prompts: code, mathematics, stories, dialogue, instructions, tables, languages.</source>
        <translation>
            <numerusform>%n Prompt: Code, Mathematik, Erzählungen, Dialog, Anweisungen, Tabellen, Sprachen.</numerusform>
            <numerusform>%n Prompts: Code, Mathematik, Erzählungen, Dialog, Anweisungen, Tabellen, Sprachen.</numerusform>
        </translation>
    </message>
    <message>
        <source>One prompt a line, or JSON lines with &quot;prompt&quot; and optional &quot;domain&quot;.</source>
        <translation>Ein Prompt je Zeile, oder JSON-Zeilen mit „prompt“ und wahlweise „domain“.</translation>
    </message>
    <message>
        <source>Cut into consecutive windows of the context&apos;s length.</source>
        <translation>Wird in aufeinanderfolgende Fenster der Kontextlänge geschnitten.</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>Einen Text wählen</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Kein Modell geöffnet</translation>
    </message>
    <message>
        <source>Open a model (.gguf, .knot or a Hugging Face folder), or try the demo model.</source>
        <translation>Öffnen Sie ein Modell (.gguf, .knot oder einen Ordner von Hugging Face) oder probieren Sie das Demomodell.</translation>
    </message>
    <message>
        <source>%1 · %2 layers × %3 neurons
hidden size %4 · vocabulary %5
trained context %6 tokens · %7</source>
        <translation>%1 · %2 Schichten × %3 Neuronen
Hidden-Größe %4 · Vokabular %5
trainierter Kontext %6 Token · %7</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::SessionKeeper</name>
    <message>
        <source>%1 is not the profile this session was saved with: it was changed since.</source>
        <translation>%1 ist nicht das Profil, mit dem diese Sitzung gespeichert wurde: Es wurde seitdem geändert.</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::ShortcutsDialog</name>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Part of a command&apos;s name or of its keys</source>
        <translation>Teil des Befehlsnamens oder seiner Tasten</translation>
    </message>
    <message>
        <source>Commands and their shortcuts</source>
        <translation>Befehle und ihre Tastenkürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>New shortcut</source>
        <translation>Neues Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;New shortcut</source>
        <translation>&amp;Neues Tastenkürzel</translation>
    </message>
    <message>
        <source>N&amp;one</source>
        <translation>K&amp;eines</translation>
    </message>
    <message>
        <source>Set &amp;back</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>%1 was the shortcut of “%2”, which has none now.</source>
        <translation>%1 war das Tastenkürzel von „%2“, das jetzt keines hat.</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::StatusLine</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>opening…</source>
        <translation>öffnet …</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>profiling</source>
        <translation>profiliert</translation>
    </message>
    <message>
        <source>reading the text…</source>
        <translation>liest den Text …</translation>
    </message>
    <message>
        <source>%1 of %2 tokens · %3 tokens/s · %4 elapsed · %5 left</source>
        <translation>%1 von %2 Token · %3 Token/s · %4 vergangen · noch %5</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::SweepDialog</name>
    <message>
        <source>Evaluate a sweep</source>
        <translation>Durchlauf auswerten</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>&amp;Auswerten</translation>
    </message>
    <message>
        <source>&amp;Threshold</source>
        <translation>&amp;Schwelle</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>T&amp;o</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>&amp;Einstellungen</translation>
    </message>
    <message>
        <source>About %1 on this machine, less for what is known already. What is measured is kept; a sweep that was stopped goes on where it was.</source>
        <translation>Etwa %1 auf diesem Rechner, weniger für schon Bekanntes. Gemessenes bleibt erhalten; ein angehaltener Durchlauf geht dort weiter, wo er war.</translation>
    </message>
    <message>
        <source>What is measured is kept; a sweep that was stopped goes on where it was.</source>
        <translation>Gemessenes bleibt erhalten; ein angehaltener Durchlauf geht dort weiter, wo er war.</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::Views</name>
    <message>
        <source>&amp;Overview</source>
        <translation>Ü&amp;bersicht</translation>
    </message>
    <message>
        <source>&amp;Layer detail</source>
        <translation>&amp;Schicht</translation>
    </message>
    <message>
        <source>&amp;Sweep</source>
        <translation>S&amp;weep</translation>
    </message>
    <message>
        <source>Frozen share and estimated speed-up against each threshold</source>
        <translation>Eingefrorener Anteil und geschätzte Beschleunigung über jeder Schwelle</translation>
    </message>
    <message>
        <source>All layers and neurons, and the trend over depth</source>
        <translation>Alle Schichten und Neuronen und der Verlauf über die Tiefe</translation>
    </message>
    <message>
        <source>Histogram, threshold and bitmask of the selected layer</source>
        <translation>Histogramm, Schwelle und Bitmaske der gewählten Schicht</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Include %1</source>
        <translation>%1 einbeziehen</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>%1 auslassen</translation>
    </message>
</context>
<context>
    <name>permafrost::gui::Workbench</name>
    <message>
        <source>The run could not be kept: %1</source>
        <translation>Der Lauf konnte nicht aufgehoben werden: %1</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::EmptyState</name>
    <message>
        <source>Open a model, or drop one here</source>
        <translation>Öffnen Sie ein Modell oder legen Sie es hier ab</translation>
    </message>
    <message>
        <source>Permafrost runs a language model&apos;s feed-forward layers over real text, finds the neurons that stay frozen, and lets you drag the thresholds to see what skipping them is worth.

Models: .gguf, .knot, Hugging Face folders · finished profiles: .frost</source>
        <translation>Permafrost lässt die Feed-forward-Schichten eines Sprachmodells über echten Text laufen, findet die Neuronen, die eingefroren bleiben, und zeigt beim Ziehen der Schwellen, was ihr Weglassen bringt.

Modelle: .gguf, .knot, Hugging-Face-Ordner · fertige Profile: .frost</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>Datei ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Try the &amp;demo model</source>
        <translation>&amp;Demomodell probieren</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::ExportMenu</name>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
    <message>
        <source>%1 could not be written. Is the folder writable and the disk not full?</source>
        <translation>%1 konnte nicht geschrieben werden. Ist der Ordner beschreibbar und auf dem Datenträger Platz?</translation>
    </message>
    <message>
        <source>Save the plot…</source>
        <translation>Diagramm speichern…</translation>
    </message>
    <message>
        <source>Save the plot</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector graphics (*.svg);;PDF (*.pdf)</source>
        <translation>Bild (*.png);;Vektorgrafik (*.svg);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Copy the plot as a picture</source>
        <translation>Diagramm als Bild kopieren</translation>
    </message>
    <message>
        <source>Print the plot…</source>
        <translation>Diagramm drucken…</translation>
    </message>
    <message>
        <source>Save the numbers…</source>
        <translation>Zahlen speichern…</translation>
    </message>
    <message>
        <source>Save the numbers</source>
        <translation>Zahlen speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Copy the numbers</source>
        <translation>Zahlen kopieren</translation>
    </message>
    <message>
        <source>Show as a table…</source>
        <translation>Als Tabelle zeigen…</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n rows are shown; the saved file has all.</source>
        <translation>
            <numerusform>Nur die erste Zeile wird gezeigt; die gespeicherte Datei hat alle.</numerusform>
            <numerusform>Nur die ersten %n Zeilen werden gezeigt; die gespeicherte Datei hat alle.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::HeatmapControls</name>
    <message>
        <source>Heatmap metric</source>
        <translation>Größe der Heatmap</translation>
    </message>
    <message>
        <source>How neurons that share a column are pooled</source>
        <translation>Wie Neuronen einer Spalte zusammengefasst werden</translation>
    </message>
    <message>
        <source>How neurons that share a column become one colour</source>
        <translation>Wie Neuronen einer Spalte zu einer Farbe werden</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Zoom to a rectangle</source>
        <translation>Auf ein Rechteck vergrößern</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>Vergrößern (+)</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>Verkleinern (-)</translation>
    </message>
    <message>
        <source>Fit all layers and neurons (0)</source>
        <translation>Alles einpassen (0)</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Colour scale of the heatmap</source>
        <translation>Farbskala der Heatmap</translation>
    </message>
    <message>
        <source>Logarithmic scale</source>
        <translation>Logarithmische Skala</translation>
    </message>
    <message>
        <source>Clip to the 1st and 99th percentile</source>
        <translation>Auf 1. bis 99. Perzentil begrenzen</translation>
    </message>
    <message>
        <source>Order of the neurons</source>
        <translation>Reihenfolge der Neuronen</translation>
    </message>
    <message>
        <source>How the neurons of each layer lie from left to right</source>
        <translation>Wie die Neuronen jeder Schicht von links nach rechts liegen</translation>
    </message>
    <message>
        <source>By index</source>
        <translation>Nach Index</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>Größte zuerst</translation>
    </message>
    <message>
        <source>Frozen first</source>
        <translation>Eingefrorene zuerst</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::HeatmapView</name>
    <message>
        <source>Heatmap of layers and neurons</source>
        <translation>Heatmap der Schichten und Neuronen</translation>
    </message>
    <message>
        <source>neuron (index in the layer)</source>
        <translation>Neuron (Nummer in der Schicht)</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>share of each column</source>
        <translation>Anteil je Spalte</translation>
    </message>
    <message>
        <source>largest of each column</source>
        <translation>größter Wert je Spalte</translation>
    </message>
    <message>
        <source>smallest of each column</source>
        <translation>kleinster Wert je Spalte</translation>
    </message>
    <message>
        <source>mean of each column</source>
        <translation>Mittel je Spalte</translation>
    </message>
    <message>
        <source>not profiled · one column is %1 neurons: %2</source>
        <translation>nicht profiliert · eine Spalte sind %1 Neuronen: %2</translation>
    </message>
    <message>
        <source>not profiled · one column is one neuron</source>
        <translation>nicht profiliert · eine Spalte ist ein Neuron</translation>
    </message>
    <message>
        <source>layer %1, neuron %2</source>
        <translation>Schicht %1, Neuron %2</translation>
    </message>
    <message>
        <source>not profiled yet</source>
        <translation>noch nicht profiliert</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>not frozen</source>
        <translation>nicht eingefroren</translation>
    </message>
    <message>
        <source>Nothing is profiled yet.</source>
        <translation>Noch ist nichts profiliert.</translation>
    </message>
    <message>
        <source>%1 of %2 layers; %3 of %4 neurons are frozen, %5.</source>
        <translation>%1 von %2 Schichten; %3 von %4 Neuronen sind eingefroren, %5.</translation>
    </message>
    <message>
        <source>neuron %1</source>
        <translation>Neuron %1</translation>
    </message>
    <message>
        <source>neurons %1 to %2</source>
        <translation>Neuronen %1 bis %2</translation>
    </message>
    <message>
        <source>neurons (frozen ones first in each layer)</source>
        <translation>Neuronen (in jeder Schicht eingefrorene zuerst)</translation>
    </message>
    <message>
        <source>neurons (largest value first in each layer)</source>
        <translation>Neuronen (in jeder Schicht größter Wert zuerst)</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>ranks %1 to %2</source>
        <translation>Ränge %1 bis %2</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::HistogramView</name>
    <message>
        <source>Statistic of the layer</source>
        <translation>Statistik der Schicht</translation>
    </message>
    <message>
        <source>Activation |h|, every token</source>
        <translation>Aktivierung |h|, jedes Token</translation>
    </message>
    <message>
        <source>&amp;Statistic</source>
        <translation>&amp;Statistik</translation>
    </message>
    <message>
        <source>all neurons</source>
        <translation>alle Neuronen</translation>
    </message>
    <message>
        <source>frozen by the rule</source>
        <translation>von der Regel eingefroren</translation>
    </message>
    <message>
        <source>below, % (right)</source>
        <translation>darunter, % (rechts)</translation>
    </message>
    <message>
        <source>neurons</source>
        <translation>Neuronen</translation>
    </message>
    <message>
        <source>below (%)</source>
        <translation>darunter (%)</translation>
    </message>
    <message>
        <source>Histogram of %1, layer %2</source>
        <translation>Histogramm von %1, Schicht %2</translation>
    </message>
    <message>
        <source>values (neurons × tokens)</source>
        <translation>Werte (Neuronen × Token)</translation>
    </message>
    <message>
        <source>Histogram of the selected layer</source>
        <translation>Histogramm der gewählten Schicht</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::LayerView</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>L&amp;ayer</source>
        <translation>S&amp;chicht</translation>
    </message>
    <message>
        <source> of 0–%1</source>
        <translation> von 0–%1</translation>
    </message>
    <message>
        <source>%1 neurons, not profiled yet</source>
        <translation>%1 Neuronen, noch nicht profiliert</translation>
    </message>
    <message>
        <source>%1 neurons · frozen &lt;b&gt;%2&lt;/b&gt; (%3) · saturated %4 · guarded %5 · speed-up &lt;b&gt;%6&lt;/b&gt; (upper bound)</source>
        <translation>%1 Neuronen · eingefroren &lt;b&gt;%2&lt;/b&gt; (%3) · gesättigt %4 · geschützt %5 · Beschleunigung &lt;b&gt;%6&lt;/b&gt; (Obergrenze)</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>guarded</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>left: index of the row&apos;s first byte</source>
        <translation>links: Nummer des ersten Bytes der Zeile</translation>
    </message>
    <message>
        <source>Plots of the layer</source>
        <translation>Diagramme der Schicht</translation>
    </message>
    <message>
        <source>&amp;Histogram</source>
        <translation>&amp;Histogramm</translation>
    </message>
    <message>
        <source>S&amp;catter</source>
        <translation>&amp;Streudiagramm</translation>
    </message>
    <message>
        <source>Neurons of the layer</source>
        <translation>Neuronen der Schicht</translation>
    </message>
    <message>
        <source>&amp;Bitmask</source>
        <translation>&amp;Bitmaske</translation>
    </message>
    <message>
        <source>&amp;Neurons</source>
        <translation>&amp;Neuronen</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::LayersModel</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Neurons</source>
        <translation>Neuronen</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Saturated</source>
        <translation>Gesättigt</translation>
    </message>
    <message>
        <source>Guarded</source>
        <translation>Geschützt</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Share of the layer&apos;s neurons that the mask freezes (%)</source>
        <translation>Anteil der Neuronen der Schicht, die die Maske einfriert (%)</translation>
    </message>
    <message>
        <source>Share that meets all three criteria (%)</source>
        <translation>Anteil, der alle drei Kriterien erfüllt (%)</translation>
    </message>
    <message>
        <source>Neurons that would be frozen but for the guard</source>
        <translation>Neuronen, die ohne den Schutz eingefroren wären</translation>
    </message>
    <message>
        <source>1 / (1 - frozen share): an upper bound for the layer&apos;s FFN (×)</source>
        <translation>1 / (1 - eingefrorener Anteil): Obergrenze für das FFN der Schicht (×)</translation>
    </message>
    <message>
        <source>Variance of h, mean over the layer&apos;s neurons (h²)</source>
        <translation>Varianz von h, Mittel über die Neuronen der Schicht (h²)</translation>
    </message>
    <message>
        <source>Own thresholds</source>
        <translation>Eigene Schwellen</translation>
    </message>
    <message>
        <source>Layers without a tick are left as they are: nothing in them is frozen</source>
        <translation>Schichten ohne Haken bleiben, wie sie sind: in ihnen wird nichts eingefroren</translation>
    </message>
    <message>
        <source>What the layer does differently from the rule</source>
        <translation>Was die Schicht anders macht als die Regel</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::LayersTable</name>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Filter the layers</source>
        <translation>Schichten filtern</translation>
    </message>
    <message>
        <source>Filter: 12-20, or frozen &gt; 5</source>
        <translation>Filter: 12-20 oder Spalte &gt; 5</translation>
    </message>
    <message>
        <source>Layers (12-20 or 3, 7) or a column against a number (frozen &gt; 5)</source>
        <translation>Schichten (12-20 oder 3, 7) oder der Name einer Spalte, &lt;, = oder &gt; und eine Zahl</translation>
    </message>
    <message>
        <source>Not understood yet: write 12-20, or a column&apos;s name, &lt;, = or &gt; and a number. All layers are shown.</source>
        <translation>Noch nicht verstanden: schreiben Sie 12-20 oder den Namen einer Spalte, &lt;, = oder &gt; und eine Zahl. Alle Schichten werden gezeigt.</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::MaskGrid</name>
    <message>
        <source>Bitmask of the layer</source>
        <translation>Bitmaske der Schicht</translation>
    </message>
    <message>
        <source>Layer %1: %2 of %3 neurons are frozen, %4 are guarded.</source>
        <translation>Schicht %1: %2 von %3 Neuronen sind eingefroren, %4 geschützt.</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>guarded</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>neuron %1 · %2 · byte %3 = 0x%4, bit %5</source>
        <translation>Neuron %1 · %2 · Byte %3 = 0x%4, Bit %5</translation>
    </message>
    <message>
        <source>This layer is not profiled yet.</source>
        <translation>Diese Schicht ist noch nicht profiliert.</translation>
    </message>
    <message>
        <source>layer %1 · </source>
        <translation>Schicht %1 · </translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::NeuronCard</name>
    <message>
        <source>Neuron</source>
        <translation>Neuron</translation>
    </message>
    <message>
        <source>Why the neuron is frozen or not</source>
        <translation>Warum das Neuron eingefroren ist oder nicht</translation>
    </message>
    <message>
        <source>Figures of the neuron</source>
        <translation>Zahlen des Neurons</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Temporal gradient</source>
        <translation>Zeitlicher Gradient</translation>
    </message>
    <message>
        <source>|Δh| per token</source>
        <translation>|Δh| je Token</translation>
    </message>
    <message>
        <source>Gate mean</source>
        <translation>Gate-Mittel</translation>
    </message>
    <message>
        <source>Gate variance</source>
        <translation>Gate-Varianz</translation>
    </message>
    <message>
        <source>Up mean</source>
        <translation>Up-Mittel</translation>
    </message>
    <message>
        <source>Up variance</source>
        <translation>Up-Varianz</translation>
    </message>
    <message>
        <source>Down column norm</source>
        <translation>Norm der Down-Spalte</translation>
    </message>
    <message>
        <source>First-token peak</source>
        <translation>Spitze am ersten Token</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer %1, neuron</source>
        <translation>Schicht %1, Neuron</translation>
    </message>
    <message>
        <source>Click a cell of the heatmap or of the bitmask to see a neuron&apos;s figures.</source>
        <translation>Klicken Sie eine Zelle der Heatmap oder der Bitmaske an, um die Zahlen eines Neurons zu sehen.</translation>
    </message>
    <message>
        <source>A neuron&apos;s figures appear here once a model is profiled.</source>
        <translation>Hier stehen die Zahlen eines Neurons, sobald ein Modell profiliert ist.</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Guarded</source>
        <translation>Geschützt</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>&amp;Measure its removal</source>
        <translation>Entfernen &amp;messen</translation>
    </message>
    <message>
        <source>Runs the held-out text with this one neuron at zero, beside the dense model</source>
        <translation>Rechnet den zurückgehaltenen Text mit diesem einen Neuron auf null, neben dem dichten Modell</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::NeuronsModel</name>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>guarded</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>neuron</source>
        <translation>neuron</translation>
    </message>
    <message>
        <source>Neuron</source>
        <translation>Neuron</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::NeuronsTable</name>
    <message>
        <source>Search neurons</source>
        <translation>Neuronen suchen</translation>
    </message>
    <message>
        <source>Search: frozen, guarded, 1234, variance&lt;0.001, rms&gt;1 …</source>
        <translation>Suche: eingefroren, geschützt, 1234, variance&lt;0.001, rms&gt;1 …</translation>
    </message>
    <message>
        <source>Conditions between spaces must all hold: a state, a neuron&apos;s number, or a column with &lt; or &gt; and a number. Shares are in percent.</source>
        <translation>Bedingungen zwischen Leerzeichen gelten alle zugleich: ein Zustand, die Nummer eines Neurons oder eine Spalte mit &lt; oder &gt; und einer Zahl. Anteile in Prozent.</translation>
    </message>
    <message>
        <source>Neurons of the layer</source>
        <translation>Neuronen der Schicht</translation>
    </message>
    <message>
        <source>not understood yet</source>
        <translation>noch nicht verständlich</translation>
    </message>
    <message>
        <source>%1 of %2 neurons</source>
        <translation>%1 von %2 Neuronen</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::QualityView</name>
    <message>
        <source>Share of the held-out text that was evaluated</source>
        <translation>Anteil des zurückgehaltenen Textes, der gemessen ist</translation>
    </message>
    <message>
        <source>Profile a model, then switch live evaluation on.</source>
        <translation>Profilieren Sie ein Modell und schalten Sie dann die laufende Messung ein.</translation>
    </message>
    <message>
        <source>Evaluate the present mask &amp;live</source>
        <translation>Jetzige Maske &amp;laufend messen</translation>
    </message>
    <message>
        <source>Runs the dense and the masked model over held-out text in the background, again after each change of the mask</source>
        <translation>Lässt das volle und das maskierte Modell im Hintergrund über zurückgehaltenen Text laufen, nach jeder Änderung der Maske von neuem</translation>
    </message>
    <message>
        <source>set to zero</source>
        <translation>auf null gesetzt</translation>
    </message>
    <message>
        <source>kept at their mean</source>
        <translation>auf ihrem Mittel gehalten</translation>
    </message>
    <message>
        <source>F&amp;rozen neurons</source>
        <translation>Eingef&amp;rorene Neuronen</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>Te&amp;xt</translation>
    </message>
    <message>
        <source>Perplexity, masked / dense</source>
        <translation>Perplexität, maskiert / voll</translation>
    </message>
    <message>
        <source>Paired over the same tokens; ± is one standard error</source>
        <translation>Gepaart über dieselben Token; ± ist ein Standardfehler</translation>
    </message>
    <message>
        <source>KL divergence (nats)</source>
        <translation>KL-Divergenz (nat)</translation>
    </message>
    <message>
        <source>Mean over tokens of KL(dense, masked), natural logarithm; ± is one standard error</source>
        <translation>Mittel über die Token von KL(voll, maskiert), natürlicher Logarithmus; ± ist ein Standardfehler</translation>
    </message>
    <message>
        <source>Accuracy retained</source>
        <translation>Erhaltene Trefferquote</translation>
    </message>
    <message>
        <source>Next-token accuracy of the masked model, as a share of the dense model&apos;s</source>
        <translation>Trefferquote des maskierten Modells beim nächsten Token, als Anteil an der des vollen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>frozen (% of neurons)</source>
        <translation>eingefroren (% der Neuronen)</translation>
    </message>
    <message>
        <source>KL (nats)</source>
        <translation>KL (nat)</translation>
    </message>
    <message>
        <source>Click a point to go back to its thresholds</source>
        <translation>Ein Klick auf einen Punkt führt zu seinen Schwellen zurück</translation>
    </message>
    <message>
        <source>Evaluated settings: frozen share against KL divergence</source>
        <translation>Gemessene Einstellungen: eingefrorener Anteil gegen KL-Divergenz</translation>
    </message>
    <message>
        <source>Evaluating…</source>
        <translation>Misst…</translation>
    </message>
    <message>
        <source>%1 the same</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>, provisional</source>
        <translation>, vorläufig</translation>
    </message>
    <message numerus="yes">
        <source>%n evaluated setting(s)</source>
        <translation>
            <numerusform>%n gemessene Einstellung</numerusform>
            <numerusform>%n gemessene Einstellungen</numerusform>
        </translation>
    </message>
    <message>
        <source>the better of both, by neuron</source>
        <translation>je Neuron das Bessere von beiden</translation>
    </message>
    <message>
        <source>Multiple choice, answered by the dense and the masked model after the text</source>
        <translation>Auswahlfragen, die das dichte und das maskierte Modell nach dem Text beantworten</translation>
    </message>
    <message>
        <source>KL expected, an estimate</source>
        <translation>KL erwartet, eine Schätzung</translation>
    </message>
    <message>
        <source>From the profile alone: the part of the FFN output that the mask takes away, calibrated on the settings that were evaluated</source>
        <translation>Aus dem Profil allein: der Teil der FFN-Ausgabe, den die Maske wegnimmt, geeicht an den ausgewerteten Einstellungen</translation>
    </message>
    <message>
        <source>Questions answered rightly</source>
        <translation>Richtig beantwortete Fragen</translation>
    </message>
    <message>
        <source>Of the masked and the dense model; p is how likely so uneven a split is when masking changes nothing (exact McNemar test)</source>
        <translation>Des maskierten und des dichten Modells; p sagt, wie wahrscheinlich eine so ungleiche Aufteilung ist, wenn das Maskieren nichts ändert (exakter McNemar-Test)</translation>
    </message>
    <message>
        <source>S&amp;weep…</source>
        <translation>Durch&amp;lauf …</translation>
    </message>
    <message>
        <source>Evaluate many settings, one after the other; what is measured is kept</source>
        <translation>Viele Einstellungen nacheinander auswerten; Gemessenes bleibt erhalten</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Waagerechte Achse</translation>
    </message>
    <message>
        <source>estimated speed-up, mean of layers (×)</source>
        <translation>geschätzte Beschleunigung, Mittel der Schichten (×)</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>measured before</source>
        <translation>früher gemessen</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>%1 tokens %2%3. KL %4 (as quantising Llama 3 8B).</source>
        <translation>%1 Token %2%3. KL %4 (wie beim Quantisieren von Llama 3 8B).</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>dense %1, p = %2</source>
        <translation>dicht %1, p = %2</translation>
    </message>
    <message>
        <source>within × %1</source>
        <translation>auf × %1 genau</translation>
    </message>
    <message>
        <source>from one setting</source>
        <translation>aus einer Einstellung</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>An&amp;halten</translation>
    </message>
    <message numerus="yes">
        <source>A sweep over %n setting(s) is running: %1.</source>
        <translation>
            <numerusform>Ein Durchlauf über %n Einstellung läuft: %1.</numerusform>
            <numerusform>Ein Durchlauf über %n Einstellungen läuft: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>no questions</source>
        <translation>keine Fragen</translation>
    </message>
    <message>
        <source>built-in questions (no benchmark)</source>
        <translation>mitgelieferte Fragen (kein Benchmark)</translation>
    </message>
    <message>
        <source>questions from a file…</source>
        <translation>Fragen aus einer Datei …</translation>
    </message>
    <message>
        <source>by frozen share</source>
        <translation>nach Anteil</translation>
    </message>
    <message>
        <source>by speed-up</source>
        <translation>nach Beschleunigung</translation>
    </message>
    <message>
        <source>mean kept</source>
        <translation>beim Mittel</translation>
    </message>
    <message>
        <source>%1 × 512 tokens</source>
        <translation>%1 × 512 Token</translation>
    </message>
    <message>
        <source>whole text</source>
        <translation>ganzer Text</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::ScatterView</name>
    <message>
        <source>|Mean| against variance of the selected layer&apos;s neurons</source>
        <translation>|Mittel| gegen Varianz der Neuronen der gewählten Schicht</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>guarded</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>variance of h (h²)</source>
        <translation>Varianz von h (h²)</translation>
    </message>
    <message>
        <source>|mean of h| (|h|)</source>
        <translation>|Mittel von h| (|h|)</translation>
    </message>
    <message>
        <source>layer %1, neuron %2 · variance %3 h² · |mean| %4</source>
        <translation>Schicht %1, Neuron %2 · Varianz %3 h² · |Mittel| %4</translation>
    </message>
    <message>
        <source>%1 frozen, %2 guarded, %3 active neurons in layer %4.</source>
        <translation>%1 eingefrorene, %2 geschützte, %3 aktive Neuronen in Schicht %4.</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::SweepView</name>
    <message>
        <source>Threshold to sweep</source>
        <translation>Schwelle für den Sweep</translation>
    </message>
    <message>
        <source>S&amp;weep</source>
        <translation>S&amp;weep</translation>
    </message>
    <message>
        <source>frozen (%)</source>
        <translation>eingefroren (%)</translation>
    </message>
    <message>
        <source>estimated speed-up, mean of layers (×)</source>
        <translation>geschätztes Tempo, Mittel der Schichten (×)</translation>
    </message>
    <message>
        <source>frozen (% of neurons)</source>
        <translation>eingefroren (% der Neuronen)</translation>
    </message>
    <message>
        <source>speed-up (×)</source>
        <translation>Tempo (×)</translation>
    </message>
    <message>
        <source>Sweep of %1</source>
        <translation>Sweep von %1</translation>
    </message>
    <message>
        <source>Profile a model to see what each threshold would freeze.</source>
        <translation>Profilieren Sie ein Modell, um zu sehen, was jede Schwelle einfrieren würde.</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Rechnet …</translation>
    </message>
    <message>
        <source>Now %1. At %2 it becomes &lt;b&gt;%3&lt;/b&gt; (%4 frozen, %5).</source>
        <translation>Jetzt %1. Bei %2 wird daraus &lt;b&gt;%3&lt;/b&gt; (%4 eingefroren, %5).</translation>
    </message>
    <message>
        <source>%1 whatever this threshold is.</source>
        <translation>%1, wie diese Schwelle auch liegt.</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::ThresholdPanel</name>
    <message>
        <source>Freeze &amp;rule</source>
        <translation>&amp;Regel</translation>
    </message>
    <message>
        <source>Low variance</source>
        <translation>Geringe Varianz</translation>
    </message>
    <message>
        <source>Zero gradient</source>
        <translation>Nullgradient</translation>
    </message>
    <message>
        <source>Low activity</source>
        <translation>Geringe Aktivität</translation>
    </message>
    <message>
        <source>Guard neurons with rare spikes</source>
        <translation>Neuronen mit seltenen Spitzen schützen</translation>
    </message>
    <message>
        <source>Reset to the defaults</source>
        <translation>Auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Reset thresholds</source>
        <translation>Schwellen zurücksetzen</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>Guard on</source>
        <translation>Schutz ein</translation>
    </message>
    <message>
        <source>Guard off</source>
        <translation>Schutz aus</translation>
    </message>
    <message>
        <source>Freeze rule</source>
        <translation>Einfrierregel</translation>
    </message>
    <message>
        <source>Variance and gradient</source>
        <translation>Varianz und Gradient</translation>
    </message>
    <message>
        <source>All three criteria</source>
        <translation>Alle drei Kriterien</translation>
    </message>
    <message>
        <source>Any criterion</source>
        <translation>Irgendein Kriterium</translation>
    </message>
    <message>
        <source>Variance only</source>
        <translation>Nur Varianz</translation>
    </message>
    <message>
        <source>Gradient only</source>
        <translation>Nur Gradient</translation>
    </message>
    <message>
        <source>Activity only</source>
        <translation>Nur Aktivität</translation>
    </message>
    <message>
        <source>Smallest RMS, a share</source>
        <translation>Kleinstes RMS, ein Anteil</translation>
    </message>
    <message>
        <source>Least output impact, a share</source>
        <translation>Geringste Wirkung, ein Anteil</translation>
    </message>
    <message>
        <source>Own combination</source>
        <translation>Eigene Verbindung</translation>
    </message>
    <message>
        <source>Criteria</source>
        <translation>Kriterien</translation>
    </message>
    <message>
        <source>Rule: %1</source>
        <translation>Regel: %1</translation>
    </message>
    <message>
        <source>The share of each layer with the smallest RMS is frozen.</source>
        <translation>Der Anteil jeder Schicht mit dem kleinsten RMS wird eingefroren.</translation>
    </message>
    <message>
        <source>The share of each layer whose output varies least is frozen.</source>
        <translation>Der Anteil jeder Schicht, dessen Ausgabe am wenigsten schwankt, wird eingefroren.</translation>
    </message>
    <message>
        <source>A neuron is frozen when any ticked criterion holds.</source>
        <translation>Ein Neuron ist eingefroren, wenn ein angekreuztes Kriterium gilt.</translation>
    </message>
    <message>
        <source>A neuron is frozen when all ticked criteria hold. Saturated means all three.</source>
        <translation>Ein Neuron ist eingefroren, wenn alle angekreuzten Kriterien gelten. Gesättigt heißt: alle drei.</translation>
    </message>
    <message>
        <source>Layers the thresholds are for</source>
        <translation>Schichten, für die die Schwellen gelten</translation>
    </message>
    <message>
        <source>Thresholds of all layers, or of the layers that are marked in the layers table</source>
        <translation>Schwellen aller Schichten oder der in der Schichtentabelle markierten</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Alle Schichten</translation>
    </message>
    <message>
        <source>Thresholds &amp;for</source>
        <translation>Schwellen &amp;für</translation>
    </message>
    <message>
        <source>Follow the rule</source>
        <translation>Der Regel folgen</translation>
    </message>
    <message>
        <source>Take the thresholds of their own from these layers</source>
        <translation>Diesen Schichten ihre eigenen Schwellen nehmen</translation>
    </message>
    <message>
        <source>Follow the rule: %1</source>
        <translation>Der Regel folgen: %1</translation>
    </message>
    <message>
        <source>Share of all neurons to freeze</source>
        <translation>Anteil aller Neuronen, der eingefroren wird</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>Einfrieren</translation>
    </message>
    <message>
        <source>at &amp;least harm</source>
        <translation>mit &amp;geringstem Schaden</translation>
    </message>
    <message>
        <source>Chooses, over all layers together, the neurons whose output varies least against their layer&apos;s; guarded neurons stay active</source>
        <translation>Wählt über alle Schichten gemeinsam die Neuronen, deren Ausgabe gegen die ihrer Schicht am wenigsten schwankt; geschützte Neuronen bleiben aktiv</translation>
    </message>
    <message>
        <source>Marked layers</source>
        <translation>Markierte Schichten</translation>
    </message>
    <message>
        <source>Thresholds of their own: %1.</source>
        <translation>Eigene Schwellen: %1.</translation>
    </message>
    <message>
        <source>Variance and change, a share</source>
        <translation>Varianz und Änderung, ein Anteil</translation>
    </message>
    <message>
        <source>Frozen is what is among this share of its layer by variance and by change from token to token.</source>
        <translation>Eingefroren wird, was nach Varianz und nach Änderung von Token zu Token zu diesem Anteil seiner Schicht gehört.</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::TrendView</name>
    <message>
        <source>Depth trend</source>
        <translation>Verlauf über die Tiefe</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>speed-up (×)</source>
        <translation>Tempo (×)</translation>
    </message>
    <message>
        <source>frozen (%)</source>
        <translation>eingefroren (%)</translation>
    </message>
    <message>
        <source>saturated (%)</source>
        <translation>gesättigt (%)</translation>
    </message>
    <message>
        <source>speed-up of the layer, upper bound (×)</source>
        <translation>Tempo der Schicht, Obergrenze (×)</translation>
    </message>
    <message>
        <source>layer %1 · frozen %2 · saturated %3 · speed-up %4</source>
        <translation>Schicht %1 · eingefroren %2 · gesättigt %3 · Beschleunigung %4</translation>
    </message>
    <message>
        <source>layer %1 · not profiled yet</source>
        <translation>Schicht %1 · noch nicht profiliert</translation>
    </message>
    <message>
        <source>Frozen share by depth: early %1, mid %2, late %3.</source>
        <translation>Eingefrorener Anteil nach Tiefe: früh %1, mittel %2, spät %3.</translation>
    </message>
    <message>
        <source>early</source>
        <translation>früh</translation>
    </message>
    <message>
        <source>mid</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>late</source>
        <translation>spät</translation>
    </message>
    <message>
        <source>share (%)</source>
        <translation>Anteil (%)</translation>
    </message>
    <message>
        <source>Right axis of the trend</source>
        <translation>Rechte Achse des Verlaufs</translation>
    </message>
    <message>
        <source>What the right axis shows of each layer</source>
        <translation>Was die rechte Achse von jeder Schicht zeigt</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Lay the frozen share of other profiles, under the same rule, over this one</source>
        <translation>Den eingefrorenen Anteil anderer Profile unter derselben Regel darüberlegen</translation>
    </message>
    <message>
        <source>Compare with other profiles</source>
        <translation>Mit anderen Profilen vergleichen</translation>
    </message>
    <message>
        <source>With another profile…</source>
        <translation>Mit einem anderen Profil…</translation>
    </message>
    <message>
        <source>Take all away</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <source>Frozen share by depth</source>
        <translation>Eingefrorener Anteil nach Tiefe</translation>
    </message>
    <message>
        <source>Right axis</source>
        <translation>Rechte Achse</translation>
    </message>
    <message>
        <source>frozen in %1 (%)</source>
        <translation>eingefroren in %1 (%)</translation>
    </message>
    <message>
        <source>variance (h²)</source>
        <translation>Varianz (h²)</translation>
    </message>
    <message>
        <source>variance of h, mean of the layer (h²)</source>
        <translation>Varianz von h, Mittel der Schicht (h²)</translation>
    </message>
    <message>
        <source>activity (%)</source>
        <translation>Aktivität (%)</translation>
    </message>
    <message>
        <source>tokens with |h| at or above the threshold (%)</source>
        <translation>Token mit |h| an oder über der Schwelle (%)</translation>
    </message>
    <message>
        <source>Cliff score</source>
        <translation>Klippenwert</translation>
    </message>
    <message>
        <source>cliff score</source>
        <translation>Klippenwert</translation>
    </message>
    <message>
        <source>How suddenly along a sequence the layer&apos;s neurons fall silent: to 0.3 gradual, to 0.6 moderate, above sharp</source>
        <translation>Wie plötzlich die Neuronen der Schicht im Lauf einer Folge verstummen: bis 0,3 allmählich, bis 0,6 mäßig, darüber schroff</translation>
    </message>
    <message>
        <source>cliff score (0 to 1)</source>
        <translation>Klippenwert (0 bis 1)</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::VerdictBadge</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>provisional</source>
        <translation>vorläufig</translation>
    </message>
    <message>
        <source>NO VERDICT</source>
        <translation>KEIN URTEIL</translation>
    </message>
    <message>
        <source>estimate only</source>
        <translation>nur geschätzt</translation>
    </message>
    <message>
        <source>blocked by quality</source>
        <translation>durch Qualität gesperrt</translation>
    </message>
    <message>
        <source>quality failed</source>
        <translation>Qualität nicht bestanden</translation>
    </message>
    <message>
        <source>quality passed</source>
        <translation>Qualität bestanden</translation>
    </message>
</context>
<context>
    <name>permafrost::widgets::VerdictCard</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Estimated speed-up</source>
        <translation>Geschätztes Tempo</translation>
    </message>
    <message>
        <source>Measured speed-up</source>
        <translation>Gemessenes Tempo</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Profile a model to see what its frozen neurons are worth.</source>
        <translation>Profilieren Sie ein Modell, um zu sehen, was seine eingefrorenen Neuronen wert sind.</translation>
    </message>
    <message>
        <source>FFN, mean of layers</source>
        <translation>FFN, Mittel der Schichten</translation>
    </message>
    <message>
        <source>An estimate alone must not pass a review: measure quality first.</source>
        <translation>Eine Schätzung allein genügt für keine Prüfung: erst die Qualität messen.</translation>
    </message>
    <message>
        <source>FFN upper bound · whole model %1</source>
        <translation>FFN-Obergrenze · ganzes Modell %1</translation>
    </message>
    <message>
        <source>Mean of the layers&apos; 1 / (1 - frozen share). All FFN work: %1. Whole model, one token at a time: %2.</source>
        <translation>Mittel von 1 / (1 - eingefrorener Anteil) über die Schichten. Alle FFN-Arbeit: %1. Ganzes Modell, Token für Token: %2.</translation>
    </message>
    <message>
        <source>time of the kernels</source>
        <translation>Zeit der Rechenkerne</translation>
    </message>
    <message>
        <source>perplexity, KL, accuracy</source>
        <translation>Perplexität, KL, Treffer</translation>
    </message>
    <message>
        <source>%1 retained</source>
        <translation>%1 erhalten</translation>
    </message>
    <message>
        <source>perplexity %1 · KL %2%3</source>
        <translation>Perplexität %1 · KL %2%3</translation>
    </message>
    <message>
        <source> · provisional</source>
        <translation> · vorläufig</translation>
    </message>
    <message>
        <source>With “%1” at %2 it becomes %3.</source>
        <translation>Mit „%1“ bei %2 wird es %3.</translation>
    </message>
</context>
</TS>
