"""The property names of ECMA-262 22.2.1 (tables 69 to 71 and Script values), spelled exactly.

The values come from PropertyAliases.txt and PropertyValueAliases.txt of the Unicode Character
Database (Unicode License v3), cut down to what ECMAScript knows. Each entry lists the spellings
of one value, the short ones first.
"""

from typing import Final


def _names(table: str) -> dict[str, str]:
    """Every spelling with the longest of its entry, by which ``regex`` knows it too."""
    return {
        name: names[-1] for names in (row.split("=") for row in table.split()) for name in names
    }


GENERAL_CATEGORIES: Final = _names(
    """
LC=Cased_Letter Pe=Close_Punctuation Pc=Connector_Punctuation Cc=cntrl=Control
Sc=Currency_Symbol Pd=Dash_Punctuation Nd=digit=Decimal_Number Me=Enclosing_Mark
Pf=Final_Punctuation Cf=Format Pi=Initial_Punctuation L=Letter Nl=Letter_Number
Zl=Line_Separator Ll=Lowercase_Letter M=Mark=Combining_Mark Sm=Math_Symbol Lm=Modifier_Letter
Sk=Modifier_Symbol Mn=Nonspacing_Mark N=Number Ps=Open_Punctuation C=Other Lo=Other_Letter
No=Other_Number Po=Other_Punctuation So=Other_Symbol Zp=Paragraph_Separator Co=Private_Use
P=punct=Punctuation Z=Separator Zs=Space_Separator Mc=Spacing_Mark Cs=Surrogate S=Symbol
Lt=Titlecase_Letter Cn=Unassigned Lu=Uppercase_Letter
"""
)

SCRIPTS: Final = _names(
    """
Adlm=Adlam Ahom Hluw=Anatolian_Hieroglyphs Arab=Arabic Armn=Armenian Avst=Avestan Bali=Balinese
Bamu=Bamum Bass=Bassa_Vah Batk=Batak Beng=Bengali Berf=Beria_Erfe Bhks=Bhaiksuki Bopo=Bopomofo
Brah=Brahmi Brai=Braille Bugi=Buginese Buhd=Buhid Cans=Canadian_Aboriginal Cari=Carian
Aghb=Caucasian_Albanian Cakm=Chakma Cham Cher=Cherokee Chrs=Chorasmian Zyyy=Common
Copt=Qaac=Coptic Xsux=Cuneiform Cprt=Cypriot Cpmn=Cypro_Minoan Cyrl=Cyrillic Dsrt=Deseret
Deva=Devanagari Diak=Dives_Akuru Dogr=Dogra Dupl=Duployan Egyp=Egyptian_Hieroglyphs Elba=Elbasan
Elym=Elymaic Ethi=Ethiopic Gara=Garay Geor=Georgian Glag=Glagolitic Goth=Gothic Gran=Grantha
Grek=Greek Gujr=Gujarati Gong=Gunjala_Gondi Guru=Gurmukhi Gukh=Gurung_Khema Han=Hani Hang=Hangul
Rohg=Hanifi_Rohingya Hano=Hanunoo Hatr=Hatran Hebr=Hebrew Hira=Hiragana Armi=Imperial_Aramaic
Qaai=Zinh=Inherited Phli=Inscriptional_Pahlavi Prti=Inscriptional_Parthian Java=Javanese
Kthi=Kaithi Knda=Kannada Kana=Katakana Kawi Kali=Kayah_Li Khar=Kharoshthi
Kits=Khitan_Small_Script Khmr=Khmer Khoj=Khojki Sind=Khudawadi Krai=Kirat_Rai Lao=Laoo
Latn=Latin Lepc=Lepcha Limb=Limbu Lina=Linear_A Linb=Linear_B Lisu Lyci=Lycian Lydi=Lydian
Mahj=Mahajani Maka=Makasar Mlym=Malayalam Mand=Mandaic Mani=Manichaean Marc=Marchen
Gonm=Masaram_Gondi Medf=Medefaidrin Mtei=Meetei_Mayek Mend=Mende_Kikakui Merc=Meroitic_Cursive
Mero=Meroitic_Hieroglyphs Miao=Plrd Modi Mong=Mongolian Mro=Mroo Mult=Multani Mymr=Myanmar
Nbat=Nabataean Nagm=Nag_Mundari Nand=Nandinagari Talu=New_Tai_Lue Newa Nko=Nkoo Nshu=Nushu
Hmnp=Nyiakeng_Puachue_Hmong Ogam=Ogham Olck=Ol_Chiki Onao=Ol_Onal Hung=Old_Hungarian
Ital=Old_Italic Narb=Old_North_Arabian Perm=Old_Permic Xpeo=Old_Persian Sogo=Old_Sogdian
Sarb=Old_South_Arabian Orkh=Old_Turkic Ougr=Old_Uyghur Orya=Oriya Osge=Osage Osma=Osmanya
Hmng=Pahawh_Hmong Palm=Palmyrene Pauc=Pau_Cin_Hau Phag=Phags_Pa Phnx=Phoenician
Phlp=Psalter_Pahlavi Rjng=Rejang Runr=Runic Samr=Samaritan Saur=Saurashtra Shrd=Sharada
Shaw=Shavian Sidd=Siddham Sidt=Sidetic Sgnw=SignWriting Sinh=Sinhala Sogd=Sogdian
Sora=Sora_Sompeng Soyo=Soyombo Sund=Sundanese Sunu=Sunuwar Sylo=Syloti_Nagri Syrc=Syriac
Tglg=Tagalog Tagb=Tagbanwa Tale=Tai_Le Lana=Tai_Tham Tavt=Tai_Viet Tayo=Tai_Yo Takr=Takri
Taml=Tamil Tnsa=Tangsa Tang=Tangut Telu=Telugu Thaa=Thaana Thai Tibt=Tibetan Tfng=Tifinagh
Tirh=Tirhuta Todr=Todhri Tols=Tolong_Siki Toto Tutg=Tulu_Tigalari Ugar=Ugaritic Zzzz=Unknown
Vai=Vaii Vith=Vithkuqi Wcho=Wancho Wara=Warang_Citi Yezi=Yezidi Yi=Yiii Zanb=Zanabazar_Square
"""
)

BINARY: Final = _names(
    """
ASCII AHex=ASCII_Hex_Digit Alpha=Alphabetic Any Assigned Bidi_C=Bidi_Control
Bidi_M=Bidi_Mirrored CI=Case_Ignorable Cased CWCF=Changes_When_Casefolded
CWCM=Changes_When_Casemapped CWL=Changes_When_Lowercased CWKCF=Changes_When_NFKC_Casefolded
CWT=Changes_When_Titlecased CWU=Changes_When_Uppercased Dash DI=Default_Ignorable_Code_Point
Dep=Deprecated Dia=Diacritic Emoji EComp=Emoji_Component EMod=Emoji_Modifier
EBase=Emoji_Modifier_Base EPres=Emoji_Presentation ExtPict=Extended_Pictographic Ext=Extender
Gr_Base=Grapheme_Base Gr_Ext=Grapheme_Extend Hex=Hex_Digit IDSB=IDS_Binary_Operator
IDST=IDS_Trinary_Operator IDC=ID_Continue IDS=ID_Start Ideo=Ideographic Join_C=Join_Control
LOE=Logical_Order_Exception Lower=Lowercase Math NChar=Noncharacter_Code_Point
Pat_Syn=Pattern_Syntax Pat_WS=Pattern_White_Space QMark=Quotation_Mark Radical
RI=Regional_Indicator STerm=Sentence_Terminal SD=Soft_Dotted Term=Terminal_Punctuation
UIdeo=Unified_Ideograph Upper=Uppercase VS=Variation_Selector space=WSpace=White_Space
XIDC=XID_Continue XIDS=XID_Start
"""
)

OF_STRINGS: Final = frozenset(
    (
        "Basic_Emoji",
        "Emoji_Keycap_Sequence",
        "RGI_Emoji",
        "RGI_Emoji_Flag_Sequence",
        "RGI_Emoji_Modifier_Sequence",
        "RGI_Emoji_Tag_Sequence",
        "RGI_Emoji_ZWJ_Sequence",
    )
)
"""Properties of strings (flag v only)."""
