"""Words of the language files: numbers, the answer no, only, signs that only build sentences. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

NUMBER_WORDS = frozenset("""
    zwei drei vier funf sechs sieben acht neun zehn hundert tausend two three four five six seven eight nine ten eleven twelve
    twenty thirty hundred thousand half twice once double dos tres cuatro cinco seis siete ocho nueve diez cien mil deux trois
    quatre cinq sept huit neuf dix cent mille due tre quattro cinque sei sette otto nove dieci cento twee drie vijf zes zeven
    negen tien honderd dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec dois quatro sete oito dez cem два две три
    четыре пять шесть семь восемь девять десять сто тысяча iki uc dort bes alti yedi sekiz dokuz
""".split())
ANSWERS_NO = (
    'لا', 'nein', 'no', 'nope', 'non', 'नहीं', 'nee', 'nie', 'não', 'nao', 'нет', 'hayır', 'hayir',
)
MERELY = frozenset("""
    nur bloss only just simply solo solamente seulement uniquement juste soltanto alleen slechts tylko apenas somente so только
    лишь sadece yalnizca
""".split())
BUILDING_SIGNS = frozenset("的了在是应應该該要必须須得会會能可以和與与及或把被對对為为於于從从到用使时時将將请請都也就这這那其我們们你您们项項目本此所有每一个個")
